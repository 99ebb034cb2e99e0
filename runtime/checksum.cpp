#include "runtime/checksum.h"

#include <string.h>

#include <bit>

namespace hone::runtime {
namespace {

constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio

// Bijective in both arguments. The rotation brings down the upper bits, which a product only moves up.
std::uint64_t absorb(std::uint64_t lane, std::uint64_t word) {
  return std::rotl((lane ^ word) * kOdd, 29);
}

}  // namespace

Checksum::Checksum() {
  for (std::size_t i = 0; i < kLanes; ++i) lanes_[i] = (i + 1) * kOdd;
}

void Checksum::add(std::span<const std::byte> bytes) {
  // Held in registers: `bytes` could lie in this very object for all the compiler knows.
  std::uint64_t lanes[kLanes];
  memcpy(lanes, lanes_, sizeof lanes);
  // Lanes do not wait for each other: a product takes three cycles and another can begin in each.
  const auto add_block = [&](const std::byte* block) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kLanes; ++i) {
      std::uint64_t word;
      memcpy(&word, block + i * sizeof word, sizeof word);
      lanes[i] = absorb(lanes[i], word);
    }
  };
  const std::size_t whole = bytes.size() / kBlock * kBlock;
  for (std::size_t at = 0; at < whole; at += kBlock) add_block(bytes.data() + at);
  if (whole < bytes.size()) {
    std::byte rest[kBlock] = {};
    memcpy(rest, bytes.data() + whole, bytes.size() - whole);
    add_block(rest);
  }
  memcpy(lanes_, lanes, sizeof lanes);
  size_bytes_ += bytes.size();
}

std::uint64_t Checksum::value() const {
  std::uint64_t sum = size_bytes_;
  for (const std::uint64_t lane : lanes_) sum = absorb(sum, lane);
  return sum ^ (sum >> 32);
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  Checksum sum;
  sum.add(bytes);
  return sum.value();
}

}  // namespace hone::runtime
