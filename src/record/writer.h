// Appends records to a log so that a crash tears the last line at most.
#pragma once
#include <string>
#include <string_view>

#include "record/record.h"

namespace hone::record {

// For one thread at a time.
class Writer {
 public:
  // Creates the file where there is none. A torn last line is cut off, so that what follows stays
  // readable by everybody. Throws UserError when the file cannot be written or is no log.
  explicit Writer(const std::string& path);

  const std::string& torn_line() const { return torn_line_; }  // what was cut off; mostly empty

  // `# {json}`, which every reader of the format skips.
  void append_header(std::string_view json);
  // A record, under such a line of its own when there is a note on it.
  void append(const Record& record, std::string_view note_json = {});

 private:
  struct Descriptor {
    explicit Descriptor(int opened) : number(opened) {}
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    const int number;
  };
  void cut_torn_line();
  void append_line(std::string line);

  std::string path_;
  Descriptor file_;
  std::string torn_line_;
};

}  // namespace hone::record
