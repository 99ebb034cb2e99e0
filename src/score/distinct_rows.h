// Rows of many programs, each kept once: siblings of a search differ in few of their steps.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace hone::score {

class DistinctRows {
 public:
  explicit DistinctRows(std::size_t columns) : columns_(columns) {}

  std::size_t add(std::span<const float> row);  // its number; equal rows, bit for bit, have the same
  std::size_t size() const { return hashes_.size(); }
  std::span<const float> values() const { return values_; }  // row after row

 private:
  std::size_t slot_of(std::uint64_t hash, const float* row) const;
  void grow();

  std::size_t columns_;
  std::vector<float> values_;
  std::vector<std::uint64_t> hashes_;  // of the rows
  // A row's number plus one, 0 where there is none. A row is at the place of its hash or, where that
  // was taken, at the next one that was free.
  std::vector<std::uint32_t> slots_;
};

}  // namespace hone::score
