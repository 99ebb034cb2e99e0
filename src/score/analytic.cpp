#include "score/analytic.h"

#include <cmath>

#include "base/error.h"

namespace hone::score {
namespace {

constexpr double kMillion = 1e6;

double value(std::span<const float> row, std::size_t column) {
  check(column < row.size(), "a row has the columns that the model reads");
  return std::exp2(static_cast<double>(row[column])) - 1;
}

}  // namespace

std::vector<Prediction> Analytic::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> out(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double taken = 0;
    for (std::size_t r = 0; r < samples[i].n_rows(); ++r) {
      const double cycles = value(samples[i].row(r), cycles_column_);
      taken += cycles;
      // A statement costs, so its share is negative; the less the better.
      out[i].parts.push_back(static_cast<float>(-cycles));
    }
    out[i].valid = samples[i].n_rows() == 0 ? 0 : 1;
    out[i].score = taken > 0 ? kMillion / taken : 0;
  }
  return out;
}

}  // namespace hone::score
