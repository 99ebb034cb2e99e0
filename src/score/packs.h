// The rows of many samples as one table, and sums over the rows of each.
#pragma once
#include <span>

#include "score/booster.h"
#include "score/sample.h"

namespace hone::score {

// Which columns differ among the rows; the others say nothing, and for one task they are about half.
std::vector<int> varying_columns(std::span<const Sample> samples);

struct Packs {
  Table table;                     // of the chosen columns
  std::vector<std::size_t> first;  // where each sample's rows begin; one more entry for the end

  std::size_t size() const { return first.size() - 1; }
  std::size_t n_rows(std::size_t sample) const { return first[sample + 1] - first[sample]; }
};

Packs pack(std::span<const Sample> samples, std::span<const int> columns);

// Of each sample the sum of its rows' values.
std::vector<double> sums(const Packs& packs, std::span<const float> row_values);

}  // namespace hone::score
