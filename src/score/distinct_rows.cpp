#include "score/distinct_rows.h"

#include <array>
#include <cstring>

#include "base/random.h"

namespace hone::score {
namespace {

constexpr std::size_t kFirstSlots = 1024;  // a power of two, as all sizes that follow are

// Several chains side by side: one of multiplications would wait for each of them.
std::uint64_t hash_of(const float* row, std::size_t columns) {
  constexpr std::size_t kLanes = 4, kFloats = 2;  // of a lane's word
  constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15;
  std::array<std::uint64_t, kLanes> lanes = {1, 2, 3, 4};
  const auto mix = [&](std::uint64_t& lane, const float* from, std::size_t floats) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, floats * sizeof(float));
    lane = (lane ^ word) * kOdd;
    lane ^= lane >> 32;
  };
  std::size_t at = 0;
  for (; at + kLanes * kFloats <= columns; at += kLanes * kFloats)
    for (std::size_t lane = 0; lane < kLanes; ++lane)
      mix(lanes[lane], row + at + lane * kFloats, kFloats);
  for (; at < columns; ++at) mix(lanes[at % kLanes], row + at, 1);
  std::uint64_t hash = columns;
  for (const std::uint64_t lane : lanes) hash = mix_bits(hash + lane);
  return hash;
}

}  // namespace

std::size_t DistinctRows::slot_of(std::uint64_t hash, const float* row) const {
  std::size_t slot = hash & (slots_.size() - 1);
  for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1)) {
    const std::size_t number = slots_[slot] - 1;
    if (hashes_[number] == hash &&
        std::memcmp(&values_[number * columns_], row, columns_ * sizeof(float)) == 0)
      break;
  }
  return slot;
}

void DistinctRows::grow() {
  slots_.assign(slots_.empty() ? kFirstSlots : 2 * slots_.size(), 0);
  for (std::size_t number = 0; number < size(); ++number)
    slots_[slot_of(hashes_[number], &values_[number * columns_])] =
        static_cast<std::uint32_t>(number + 1);
}

std::size_t DistinctRows::add(std::span<const float> row) {
  if (2 * size() >= slots_.size()) grow();
  const std::uint64_t hash = hash_of(row.data(), columns_);
  const std::size_t slot = slot_of(hash, row.data());
  if (slots_[slot] == 0) {
    values_.insert(values_.end(), row.begin(), row.end());
    hashes_.push_back(hash);
    slots_[slot] = static_cast<std::uint32_t>(size());
  }
  return slots_[slot] - 1;
}

}  // namespace hone::score
