#include "base/gzip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace hone {

std::string read_maybe_gzip(const std::string& path, std::size_t limit_bytes) {
  errno = 0;
  const std::unique_ptr<gzFile_s, int (*)(gzFile)> file(gzopen(path.c_str(), "rb"), gzclose);
  if (!file) throw UserError(fmt::format("cannot open {}: {}", path, std::strerror(errno)));
  constexpr std::size_t kChunk = std::size_t{1} << 20;
  gzbuffer(file.get(), kChunk);
  std::string text;
  while (true) {
    const std::size_t size = text.size();
    text.resize(size + kChunk);
    const int n_read = gzread(file.get(), text.data() + size, kChunk);
    text.resize(size + static_cast<std::size_t>(std::max(n_read, 0)));
    int status = Z_OK;
    const char* message = gzerror(file.get(), &status);
    if (n_read < 0 || status == Z_BUF_ERROR) {
      throw UserError(
          fmt::format("cannot read {}: {}", path, status == Z_ERRNO ? std::strerror(errno) : message));
    }
    if (text.size() > limit_bytes) {
      throw UserError(fmt::format("{} unpacks to more than {} bytes", path, limit_bytes));
    }
    if (n_read == 0) return text;
  }
}

}  // namespace hone
