#include "score/analytic.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hone::score {
namespace {

constexpr double kMillion = 1e6;

double value(std::span<const float> row, std::size_t column) {
  check(column < row.size(), "a row has the columns that the model reads");
  return std::exp2(static_cast<double>(row[column])) - 1;
}

// What takes less time than the slowest is hidden by it, by so much.
double together(double slowest, double total, double hidden) {
  return slowest + (1 - hidden) * (total - slowest);
}

}  // namespace

double Analytic::cycles(std::span<const float> row) const {
  const double estimated = value(row, columns_.all);
  if (memory_ == Memory::AsEstimated || columns_.traffic.empty()) return estimated;
  // Of memory three times as slow as it is said to be, of which less is hidden.
  constexpr double kSlower = 3, kHidden = 0.9, kHiddenThen = 0.6;
  const double instructions = value(row, columns_.instructions);
  double slowest = instructions, total = instructions;
  double slowest_then = instructions, total_then = instructions;
  for (const std::size_t column : columns_.traffic) {
    const double waiting = value(row, column);
    slowest = std::max(slowest, waiting);
    total += waiting;
    slowest_then = std::max(slowest_then, kSlower * waiting);
    total_then += kSlower * waiting;
  }
  if (total <= 0) return estimated;
  // The estimate knows more than these columns say, so it is stretched.
  return estimated * together(slowest_then, total_then, kHiddenThen) /
         together(slowest, total, kHidden);
}

std::vector<Prediction> Analytic::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> out(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double taken = 0;
    for (std::size_t r = 0; r < samples[i].n_rows(); ++r) {
      const double cycles_of_row = cycles(samples[i].row(r));
      taken += cycles_of_row;
      // A statement costs, so its share is negative; the less the better.
      out[i].parts.push_back(static_cast<float>(-cycles_of_row));
    }
    out[i].valid = samples[i].n_rows() == 0 ? 0 : 1;
    out[i].score = taken > 0 ? kMillion / taken : 0;
  }
  return out;
}

}  // namespace hone::score
