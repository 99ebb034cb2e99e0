#include "base/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/error.h"

namespace hone {

SharedBytes map_file(const std::filesystem::path& path) {
  const auto refuse = [&](const char* reason) {
    throw UserError(fmt::format("cannot read {}: {}", path.string(), reason),
                    "give a file that exists and that you may read");
  };
  const Descriptor file(
      ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe must not block
  struct stat status = {};
  if (!file.valid() || ::fstat(file.get(), &status) != 0) refuse(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse("it is a folder");
  if (!S_ISREG(status.st_mode)) refuse("it is no regular file");
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0) return {};  // nothing to map
  void* begin = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (begin == MAP_FAILED) refuse(std::strerror(errno));
  const auto unmap = [size](void* mapped) { ::munmap(mapped, size); };
  return {{static_cast<const std::byte*>(begin), size}, std::shared_ptr<void>(begin, unmap)};
}

}  // namespace hone
