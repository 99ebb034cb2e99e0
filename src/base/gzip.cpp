#include "base/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "base/error.h"

namespace hone {
namespace {

constexpr std::size_t kChunkBytes = std::size_t{1} << 20;

}  // namespace

ByteSource open_maybe_gzip(const std::string& path) {
  if (std::filesystem::is_directory(path))
    throw UserError(fmt::format("cannot read {}: it is a folder", path));
  errno = 0;
  const gzFile opened = gzopen(path.c_str(), "rb");
  if (opened == nullptr) throw UserError(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  gzbuffer(opened, kChunkBytes);
  return [file = std::shared_ptr<gzFile_s>(opened, gzclose), path](char* to, std::size_t size) {
    const int n_read = gzread(file.get(), to, static_cast<unsigned>(size));
    if (n_read > 0) return static_cast<std::size_t>(n_read);
    int status = Z_OK;
    const char* message = gzerror(file.get(), &status);
    if (n_read < 0 || status == Z_BUF_ERROR) {
      throw UserError(
          fmt::format("cannot read {}: {}", path, status == Z_ERRNO ? std::strerror(errno) : message));
    }
    return std::size_t{0};
  };
}

std::string read_maybe_gzip(const std::string& path, std::size_t limit_bytes) {
  const ByteSource source = open_maybe_gzip(path);
  std::string text;
  for (std::size_t size = 0;;) {
    text.resize(size + kChunkBytes);
    const std::size_t n_read = source(text.data() + size, kChunkBytes);
    size += n_read;
    text.resize(size);
    if (n_read == 0) return text;
    if (size > limit_bytes)
      throw UserError(fmt::format("{} unpacks to more than {} bytes", path, limit_bytes));
  }
}

}  // namespace hone
