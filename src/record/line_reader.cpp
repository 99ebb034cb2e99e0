#include "record/line_reader.h"

#include <algorithm>

namespace hone::record {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{64} << 10;

}  // namespace

ByteSource text_source(std::string_view text) {
  return [text](char* to, std::size_t size) mutable {
    const std::size_t count = text.copy(to, size);
    text.remove_prefix(count);
    return count;
  };
}

// Moves what is left to the front and adds a chunk behind it.
bool LineReader::fill() {
  std::copy(buffer_.begin() + begin_, buffer_.begin() + end_, buffer_.begin());
  end_ -= begin_;
  begin_ = 0;
  buffer_.resize(std::max(buffer_.size(), end_ + kChunkBytes));
  const std::size_t count = source_(buffer_.data() + end_, kChunkBytes);
  end_ += count;
  return count > 0;
}

void LineReader::skip_rest_of_line() {
  do {
    const std::size_t newline = unread().find('\n');
    begin_ = newline == std::string_view::npos ? end_ : begin_ + newline + 1;
    if (newline != std::string_view::npos) return;
  } while (fill());
}

bool LineReader::next(Line& line) {
  if (std::exchange(is_inside_line_, false)) skip_rest_of_line();
  std::size_t searched = 0;  // bytes of this line known to hold no newline
  do {
    const std::string_view rest = unread();
    const std::size_t newline = rest.find('\n', searched);
    const bool has_end = newline != std::string_view::npos;
    searched = has_end ? newline : rest.size();
    if (!has_end && searched <= kMaxLineBytes) continue;
    begin_ += searched + has_end;
    is_inside_line_ = !has_end;
    line = {++number_, rest.substr(0, std::min(searched, kMaxLineBytes)), true,
            searched > kMaxLineBytes};
    return true;
  } while (fill());
  if (begin_ == end_) return false;
  line = {++number_, unread(), false, false};
  begin_ = end_;
  return true;
}

}  // namespace hone::record
