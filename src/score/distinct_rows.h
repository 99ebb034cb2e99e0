// Rows of many programs, each kept once: siblings of a search differ in few of their steps.
#pragma once
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace hone::score {

class DistinctRows {
 public:
  explicit DistinctRows(std::size_t columns) : columns_(columns) {}

  std::size_t add(std::span<const float> row);  // its number; equal rows, bit for bit, have the same
  std::size_t size() const { return values_.size() / columns_; }
  std::span<const float> values() const { return values_; }  // row after row

 private:
  std::size_t columns_;
  std::vector<float> values_;
  std::unordered_multimap<std::uint64_t, std::size_t> numbers_;  // by hash
};

}  // namespace hone::score
