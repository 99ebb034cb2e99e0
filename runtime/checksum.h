// A fast 64-bit checksum: finds damage, proves no origin.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

namespace hone::runtime {

// Every change of one word changes it for certain, any other one with a chance of 1 - 2^-64.
class Checksum {
 public:
  static constexpr std::size_t kBlock = 64;

  Checksum();
  // The next bytes; but for the last ones a whole number of blocks.
  void add(std::span<const std::byte> bytes);
  std::uint64_t value() const;

 private:
  static constexpr std::size_t kLanes = kBlock / sizeof(std::uint64_t);

  std::uint64_t lanes_[kLanes];
  std::uint64_t size_bytes_ = 0;
};

std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace hone::runtime
