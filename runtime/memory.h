// Memory for tensors: aligned and on huge pages, or between guard pages for code that is not trusted.
#pragma once
#include <cstddef>
#include <utility>

namespace hone::runtime {

// Pages straight from the kernel, zeroed. An object that got none is empty.
class Mapping {
 public:
  Mapping() = default;
  // Readable and writable, at a multiple of `alignment` (a power of two).
  Mapping(std::size_t size_bytes, std::size_t alignment);
  ~Mapping();
  Mapping(Mapping&& other) noexcept { swap(other); }
  Mapping& operator=(Mapping&& other) noexcept {
    swap(other);
    return *this;
  }

  std::byte* data() const { return data_; }
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  void swap(Mapping& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_bytes_, other.size_bytes_);
  }
  std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

// Page-aligned; from half a huge page (2 MiB) on aligned to one and backed by them where possible.
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size_bytes);

  // Null when the system has no memory left.
  std::byte* data() const { return pages_.data(); }
  std::size_t size_bytes() const { return size_bytes_; }

 private:
  Mapping pages_;
  std::size_t size_bytes_ = 0;
};

enum class Damage { None, Before, After };

// A 64-byte aligned buffer between unreadable pages, its end as near to the page behind it as the
// alignment allows; one of 128 KiB and more on huge pages where possible. What lies between the data
// and the unreadable pages holds a pattern, so that a write of few bytes out of bounds leaves a trace
// and one of more faults at once; in front of a buffer on huge pages one of up to 2 MiB leaves a trace.
class GuardedBuffer {
 public:
  GuardedBuffer() = default;
  explicit GuardedBuffer(std::size_t size_bytes);

  std::byte* data() const { return data_; }
  std::size_t size_bytes() const { return size_bytes_; }
  Damage damage() const;
  // From now on its contents can only be read.
  void seal();
  // Where a fault at `address` was: in this buffer's guard pages, or in the buffer itself.
  bool guards(const void* address) const;
  bool holds(const void* address) const;

 private:
  std::byte* last() const;  // one past the last byte that can be accessed

  Mapping pages_;
  std::byte* first_ = nullptr;  // that can be accessed
  std::byte* data_ = nullptr;
  std::size_t size_bytes_ = 0;
};

}  // namespace hone::runtime
