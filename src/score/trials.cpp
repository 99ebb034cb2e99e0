#include "score/trials.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace hone::score {
namespace {

constexpr double kLeastScore = 1e-6;
constexpr double kMostWrong = 1.5;  // a factor of 4.5: whatever is further off is as bad
// Of the rows' size: trials that hardly differ say little of programs that do.
constexpr double kLeastSpread = 0.01;

Row weighted_mean(const std::vector<Row>& rows, const Row& weights, double total) {
  Row mean(rows[0].size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < mean.size(); ++j) mean[j] += weights[i] / total * rows[i][j];
  return mean;
}

}  // namespace

double product(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Trials trials_of(std::span<const Prediction> known, std::span<const double> labels) {
  Trials out;
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (labels[i] <= 0) continue;
    check(!known[i].hidden.empty(), "the network tells what its last layer reads");
    out.rows.emplace_back(known[i].hidden.begin(), known[i].hidden.end());
    out.weights.push_back(labels[i]);
    out.errors.push_back(std::log(labels[i]) - std::log(std::max(known[i].score, kLeastScore)));
  }
  if (out.rows.empty()) return out;
  const double total = std::accumulate(out.weights.begin(), out.weights.end(), 0.0);
  out.centre = weighted_mean(out.rows, out.weights, total);
  out.offset = product(out.errors, out.weights) / total;
  double size = 0;
  for (std::size_t i = 0; i < out.rows.size(); ++i) {
    Row& row = out.rows[i];
    size += out.weights[i] / total * product(row, row);
    for (std::size_t j = 0; j < row.size(); ++j) row[j] -= out.centre[j];
    out.errors[i] -= out.offset;
    out.spread += out.weights[i] / total * product(row, row);
  }
  out.spread = std::max(out.spread, kLeastSpread * size);
  return out;
}

void correct(Prediction& prediction, double offset, double error) {
  const double factor = std::exp(offset + std::clamp(error, -kMostWrong, kMostWrong));
  prediction.score *= factor;
  prediction.spread *= factor;
}

}  // namespace hone::score
