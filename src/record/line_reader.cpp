#include "record/line_reader.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/error.h"

namespace hone::record {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{256} << 10;

std::string system_reason() { return std::generic_category().message(errno); }

}  // namespace

Source file_source(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw UserError(fmt::format("{} is a folder, not a log", path));
  std::shared_ptr<gzFile_s> file(gzopen(path.c_str(), "rb"), [](gzFile opened) {
    if (opened != nullptr) gzclose(opened);
  });
  if (!file) throw UserError(fmt::format("cannot open {}: {}", path, system_reason()));
  gzbuffer(file.get(), kChunkBytes);
  return [file, path](char* to, std::size_t size) -> std::size_t {
    const int count = gzread(file.get(), to, static_cast<unsigned>(size));
    if (count > 0) return count;
    int code = Z_OK;
    const char* reason = gzerror(file.get(), &code);
    if (count == 0 && code == Z_OK) return 0;
    throw UserError(fmt::format("cannot read {} any further: {}", path,
                                code == Z_ERRNO ? system_reason() : std::string(reason)));
  };
}

Source text_source(std::string_view text) {
  return [text](char* to, std::size_t size) mutable {
    const std::size_t count = std::min(size, text.size());
    std::copy_n(text.data(), count, to);
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
    const auto newline = std::find(buffer_.begin() + begin_, buffer_.begin() + end_, '\n');
    begin_ = newline - buffer_.begin();
    if (begin_ < end_) {
      ++begin_;
      return;
    }
  } while (fill());
}

bool LineReader::next(Line& line) {
  if (std::exchange(is_inside_line_, false)) skip_rest_of_line();
  std::size_t searched = 0;  // bytes of this line known to hold no newline
  do {
    const auto start = buffer_.begin() + begin_, stop = buffer_.begin() + end_;
    const auto newline = std::find(start + searched, stop, '\n');
    searched = newline - start;
    if (newline == stop && searched <= kMaxLineBytes) continue;
    begin_ += searched + (newline != stop);
    is_inside_line_ = newline == stop;
    line = {++number_, {&*start, std::min(searched, kMaxLineBytes)}, true, searched > kMaxLineBytes};
    return true;
  } while (fill());
  if (begin_ == end_) return false;
  line = {++number_, {buffer_.data() + begin_, end_ - begin_}, false, false};
  begin_ = end_;
  return true;
}

}  // namespace hone::record
