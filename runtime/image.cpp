#include "runtime/image.h"

#include <string.h>
#include <sys/mman.h>

namespace hone::runtime {

Image::Image(std::span<const std::byte> bytes) {
  void* memory =
      mmap(nullptr, bytes.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  memcpy(memory, bytes.data(), bytes.size());
  if (mprotect(memory, bytes.size(), PROT_READ | PROT_EXEC) != 0) {
    munmap(memory, bytes.size());
    return;
  }
  // Processors with separate instruction caches (AArch64) must be told of new code.
  auto* begin = static_cast<char*>(memory);
  __builtin___clear_cache(begin, begin + bytes.size());
  data_ = memory;
  size_bytes_ = bytes.size();
}

Image::Image(int descriptor, std::size_t size_bytes) {
  void* memory = mmap(nullptr, size_bytes, PROT_READ | PROT_EXEC, MAP_PRIVATE, descriptor, 0);
  if (memory == MAP_FAILED) return;
  auto* begin = static_cast<char*>(memory);
  __builtin___clear_cache(begin, begin + size_bytes);
  data_ = memory;
  size_bytes_ = size_bytes;
}

Image::~Image() {
  if (data_ != nullptr) munmap(data_, size_bytes_);
}

}  // namespace hone::runtime
