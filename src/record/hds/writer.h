// Writes a data set, section after section.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/hds/file.h"
#include "record/hds/layout.h"

namespace hone::record::hds {

// Under a temporary name beside it until `finish`: nobody ever sees half of a set, and what is not
// finished goes away. UserError when the disk does not take it.
class Writer {
 public:
  explicit Writer(const std::string& path);
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // A section of any length, in pieces. One at a time; each name once, of 1 to 47 characters.
  void begin(std::string_view name);
  void append(std::span<const std::byte> bytes);
  void end();

  // The same in one piece.
  template <class T>
  void array(std::string_view name, std::span<const T> values) {
    begin(name);
    append(std::as_bytes(values));
    end();
  }
  template <class T>
  void array(std::string_view name, const std::vector<T>& values) {
    array(name, std::span<const T>(values));
  }
  void text(std::string_view name, std::string_view text) { array(name, std::span(text)); }
  void strings(std::string_view name, std::span<const std::string> texts);
  void copy(const File& from, const Section& section);

  void finish();

 private:
  void flush();
  void write(const std::byte* bytes, std::size_t size);
  [[noreturn]] void fail() const;

  std::string path_, temporary_;
  int file_;
  std::uint64_t written_ = 0;
  std::vector<std::byte> waiting_;  // of the open section
  std::vector<Section> sections_;
  bool is_open_ = false;
};

}  // namespace hone::record::hds
