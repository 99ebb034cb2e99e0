// The lines of a text that may be long, compressed or damaged, in bounded memory.
#pragma once
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/gzip.h"

namespace hone::record {

// The text must outlive the source.
ByteSource text_source(std::string_view text);

struct Line {
  std::int64_t number = 0;  // from 1
  std::string_view text;    // without its newline; valid until the next line is read
  bool has_newline = false;
  bool is_cut = false;  // longer than kMaxLineBytes: `text` is the beginning, the rest is skipped
};

// Public logs have lines of up to 2 KB.
constexpr std::size_t kMaxLineBytes = std::size_t{1} << 20;

class LineReader {
 public:
  explicit LineReader(ByteSource source) : source_(std::move(source)) {}
  bool next(Line& line);  // false at the end; throws what the source throws

 private:
  std::string_view unread() const { return {buffer_.data() + begin_, end_ - begin_}; }
  bool fill();
  void skip_rest_of_line();

  ByteSource source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what of the buffer is not yet given out
  std::int64_t number_ = 0;
  bool is_inside_line_ = false;  // the last line was cut and its end has not been reached
};

}  // namespace hone::record
