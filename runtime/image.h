// A kernel's code in memory, mapped read-execute.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "runtime/kernel_abi.h"

namespace hone::runtime {

// An object whose mapping the system refused is empty.
class Image {
 public:
  Image() = default;
  explicit Image(std::span<const std::byte> bytes);  // a copy of them
  Image(int descriptor, std::size_t size_bytes);  // a file's first bytes; the descriptor can be closed
  ~Image();
  Image(Image&& other) noexcept { swap(other); }
  Image& operator=(Image&& other) noexcept {
    swap(other);
    return *this;
  }

  bool empty() const { return data_ == nullptr; }
  std::size_t size_bytes() const { return size_bytes_; }
  const std::byte* data() const { return static_cast<const std::byte*>(data_); }
  // The function at `offset`, which must lie inside the image.
  hone_entry entry(std::uint64_t offset) const {
    return reinterpret_cast<hone_entry>(static_cast<std::byte*>(data_) + offset);
  }

 private:
  void swap(Image& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
  }
  void* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace hone::runtime
