#include "score/ridge.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace hone::score {
namespace {

// The sum that it makes least, by its definition.
double cost(const std::vector<std::vector<double>>& rows, const std::vector<double>& targets,
            const std::vector<double>& weights, const std::vector<double>& known, double price,
            const std::vector<double>& x) {
  double sum = 0, size = 0, total = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double said = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      said += rows[i][j] * x[j];
      size += weights[i] * rows[i][j] * rows[i][j] / static_cast<double>(x.size());
    }
    sum += weights[i] * (targets[i] - said) * (targets[i] - said);
    total += weights[i];
  }
  for (std::size_t j = 0; j < x.size(); ++j)
    sum += price * size / total * (x[j] - known[j]) * (x[j] - known[j]);
  return sum;
}

TEST(Ridge, NothingNearItIsCheaper) {
  Random random(3, 0);
  const auto number = [&] { return 2 * random.unit() - 1; };
  std::vector<std::vector<double>> rows(20, std::vector<double>(4));
  std::vector<double> targets, weights, known = {0.5, -1, 0, 2};
  Ridge ridge(4);
  for (auto& row : rows) {
    for (double& value : row) value = number();
    targets.push_back(number());
    weights.push_back(random.unit());
    ridge.add(row, targets.back(), weights.back());
  }
  for (const double price : {0.1, 3.0, 100.0}) {
    const std::vector<double> x = ridge.solve(known, price);
    const double least = cost(rows, targets, weights, known, price, x);
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (const double step : {-1e-3, 1e-3}) {
        std::vector<double> other = x;
        other[j] += step;
        EXPECT_GT(cost(rows, targets, weights, known, price, other), least) << price << " " << j;
      }
    }
  }
}

TEST(Ridge, StaysWhereNothingIsSaid) {
  Ridge ridge(2);
  EXPECT_EQ(ridge.solve(std::vector{1.0, 2.0}, 1), (std::vector{1.0, 2.0}));
  ridge.add(std::vector{1.0, 0.0}, 5, 1);  // says nothing of the second
  const std::vector<double> x = ridge.solve(std::vector{1.0, 2.0}, 1e-6);
  EXPECT_NEAR(x[0], 5, 1e-4);
  EXPECT_NEAR(x[1], 2, 1e-9);
}

}  // namespace
}  // namespace hone::score
