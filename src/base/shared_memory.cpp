#include "base/shared_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace hone {

Descriptor share(std::span<const std::byte> bytes) {
  Descriptor memory(memfd_create("hone", MFD_CLOEXEC));
  std::size_t written = 0;
  while (memory.valid() && written < bytes.size()) {
    const ssize_t n = write(memory.get(), bytes.data() + written, bytes.size() - written);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    written += static_cast<std::size_t>(n);
  }
  if (!memory.valid() || written < bytes.size()) {
    throw UserError(fmt::format("no shared memory of {} bytes: {}", bytes.size(), std::strerror(errno)),
                    "raise the limits on open files and memory of this shell or container");
  }
  return memory;
}

}  // namespace hone
