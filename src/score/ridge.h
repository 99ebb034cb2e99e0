// Least squares in which leaving what was known before costs.
#pragma once
#include <span>
#include <vector>

namespace hone::score {

// Keeps sums alone, so any number of rows may come.
class Ridge {
 public:
  explicit Ridge(std::size_t width) : width_(width), squares_(width * width), products_(width) {}

  void add(std::span<const double> row, double target, double weight);

  // Coefficients x with the least sum of weight (target - row x)^2 + price |x - known|^2. The price is
  // given in rows: as if so many average ones of weight 1 had said `known`.
  std::vector<double> solve(std::span<const double> known, double price) const;

 private:
  std::size_t width_;
  std::vector<double> squares_;   // sum of weight row row', its lower half
  std::vector<double> products_;  // sum of weight target row
  double weight_ = 0;
};

}  // namespace hone::score
