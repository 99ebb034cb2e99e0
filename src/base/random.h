// Counter-based random numbers: a value is a function of its place, so order and threads do not matter.
#pragma once
#include <cstdint>

namespace hone {

// A bijection of 64-bit words in which every input bit moves about half of the output bits (the
// finaliser of splitmix64).
constexpr std::uint64_t mix_bits(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9ULL;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebULL;
  return word ^ (word >> 31);
}

// Number `index` of stream `stream` under `seed`.
constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t stream, std::uint64_t index) {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;  // 2^64 / golden ratio: odd, far from simple
  return mix_bits(mix_bits(mix_bits(seed + kStep) ^ (stream + kStep)) + (index + 1) * kStep);
}

// Evenly from [0, bound) for a small positive bound, by the high half of a product.
constexpr std::uint64_t below(std::uint64_t bound, std::uint64_t bits) {
  return ((bits >> 32) * bound) >> 32;
}

// A stream read front to back, for code that takes as many numbers as it happens to need. Whatever may
// run in another order or on another thread gets a stream of its own.
class Random {
 public:
  constexpr Random(std::uint64_t seed, std::uint64_t stream) : seed_(seed), stream_(stream) {}

  constexpr std::uint64_t bits() { return random_bits(seed_, stream_, index_++); }
  // Evenly from [0, bound), for a bound from 1 to 2^32.
  constexpr std::int64_t below(std::int64_t bound) {
    return static_cast<std::int64_t>(hone::below(static_cast<std::uint64_t>(bound), bits()));
  }
  constexpr double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)

 private:
  std::uint64_t seed_;
  std::uint64_t stream_;
  std::uint64_t index_ = 0;
};

}  // namespace hone
