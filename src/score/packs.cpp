#include "score/packs.h"

#include "base/error.h"

namespace hone::score {

std::vector<int> varying_columns(std::span<const Sample> samples) {
  std::span<const float> reference;
  std::vector<char> varies;
  for (const Sample& sample : samples) {
    for (std::size_t i = 0; i < sample.n_rows(); ++i) {
      const std::span<const float> row = sample.row(i);
      if (reference.empty()) {
        reference = row;
        varies.resize(row.size());
      }
      check(row.size() == reference.size(), "all rows have equally many columns");
      for (std::size_t c = 0; c < row.size(); ++c)
        varies[c] |= static_cast<char>(row[c] != reference[c]);
    }
  }
  std::vector<int> columns;
  for (std::size_t c = 0; c < varies.size(); ++c) {
    if (varies[c]) columns.push_back(static_cast<int>(c));
  }
  return columns;
}

Packs pack(std::span<const Sample> samples, std::span<const int> columns) {
  Packs packs{.table = {.values = {}, .columns = columns.size()}, .first = {0}};
  for (const Sample& sample : samples) {
    for (std::size_t i = 0; i < sample.n_rows(); ++i) {
      const std::span<const float> row = sample.row(i);
      for (const int column : columns)
        packs.table.values.push_back(row[static_cast<std::size_t>(column)]);
    }
    packs.first.push_back(packs.first.back() + sample.n_rows());
  }
  return packs;
}

std::vector<double> sums(const Packs& packs, std::span<const float> row_values) {
  std::vector<double> out(packs.size());
  for (std::size_t i = 0; i < packs.size(); ++i) {
    for (std::size_t row = packs.first[i]; row < packs.first[i + 1]; ++row) out[i] += row_values[row];
  }
  return out;
}

}  // namespace hone::score
