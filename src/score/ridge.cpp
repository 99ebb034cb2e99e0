#include "score/ridge.h"

#include <cmath>

#include "base/error.h"

namespace hone::score {
namespace {

// Of a positive definite matrix, whose lower half becomes L of L L', and then x of L L' x = b.
void solve_in_place(std::vector<double>& matrix, std::vector<double>& b) {
  const std::size_t n = b.size();
  const auto at = [&](std::size_t i, std::size_t j) -> double& { return matrix[i * n + j]; };
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = at(i, j);
      for (std::size_t k = 0; k < j; ++k) rest -= at(i, k) * at(j, k);
      at(i, j) = i == j ? std::sqrt(rest) : rest / at(j, j);
    }
    for (std::size_t k = 0; k < i; ++k) b[i] -= at(i, k) * b[k];
    b[i] /= at(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k) b[i] -= at(k, i) * b[k];
    b[i] /= at(i, i);
  }
}

}  // namespace

void Ridge::add(std::span<const double> row, double target, double weight) {
  check(row.size() == width_, "rows are of one width");
  for (std::size_t i = 0; i < width_; ++i) {
    const double by = weight * row[i];
    if (by == 0) continue;  // half of what a layer with ReLU says
    for (std::size_t j = 0; j <= i; ++j) squares_[i * width_ + j] += by * row[j];
    products_[i] += by * target;
  }
  weight_ += weight;
}

std::vector<double> Ridge::solve(std::span<const double> known, double price) const {
  check(known.size() == width_ && price > 0, "something is known, and leaving it costs");
  double trace = 0;
  for (std::size_t i = 0; i < width_; ++i) trace += squares_[i * width_ + i];
  if (!(trace > 0)) return {known.begin(), known.end()};
  std::vector<double> matrix = squares_, x = products_;
  for (std::size_t i = 0; i < width_; ++i) {
    for (std::size_t j = 0; j < width_; ++j)
      x[i] -= (j <= i ? squares_[i * width_ + j] : squares_[j * width_ + i]) * known[j];
    matrix[i * width_ + i] += price * trace / (static_cast<double>(width_) * weight_);
  }
  solve_in_place(matrix, x);
  for (std::size_t i = 0; i < width_; ++i) x[i] += known[i];
  return x;
}

}  // namespace hone::score
