// The lines of a text that may be long, compressed or damaged, in bounded memory.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::record {

// Writes up to `size` bytes to `to` and returns how many; 0 at the end. May throw UserError.
using Source = std::function<std::size_t(char* to, std::size_t size)>;

// A plain or gzip file. Throws UserError when it cannot be opened; damage shows while reading.
Source file_source(const std::string& path);
// The text must outlive the source.
Source text_source(std::string_view text);

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
  explicit LineReader(Source source) : source_(std::move(source)) {}
  bool next(Line& line);  // false at the end

 private:
  bool fill();
  void skip_rest_of_line();

  Source source_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // what of the buffer is not yet given out
  std::int64_t number_ = 0;
  bool is_inside_line_ = false;  // the last line was cut and its end has not been reached
};

}  // namespace hone::record
