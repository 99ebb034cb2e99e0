#include "task/winograd.h"

#include <array>
#include <cmath>

#include "base/error.h"

namespace hone::task {
namespace {

constexpr std::array<double, kMaxWinogradRows - 1> kPoints = {0, -1, 1, 0.5, -2};

// Coefficients, lowest power first, of the product of (x - p) over the first `count` points without
// the one numbered `left_out`.
std::vector<double> polynomial(int count, int left_out) {
  std::vector<double> coefficients = {1};
  for (int i = 0; i < count; ++i) {
    if (i == left_out) continue;
    const double point = kPoints[static_cast<std::size_t>(i)];
    coefficients.push_back(0);
    for (std::size_t power = coefficients.size() - 1; power > 0; --power) {
      coefficients[power] = coefficients[power - 1] - point * coefficients[power];
    }
    coefficients[0] *= -point;
  }
  return coefficients;
}

double value_at(const std::vector<double>& coefficients, double x) {
  double value = 0;
  for (auto c = coefficients.rbegin(); c != coefficients.rend(); ++c) value = value * x + *c;
  return value;
}

// Powers 0 to columns-1 of each point; infinity keeps only the highest.
Matrix powers(int points, int columns) {
  Matrix rows;
  for (int i = 0; i < points; ++i) {
    std::vector<double>& row = rows.emplace_back();
    for (int j = 0; j < columns; ++j) row.push_back(std::pow(kPoints[static_cast<std::size_t>(i)], j));
  }
  rows.emplace_back(columns, 0.0).back() = 1;
  return rows;
}

}  // namespace

WinogradMatrices winograd_matrices(int m, int r) {
  const int points = m + r - 2;
  check(m > 0 && r > 0 && points <= static_cast<int>(kPoints.size()), "there are points enough");
  const std::size_t size = static_cast<std::size_t>(points) + 1;
  WinogradMatrices matrices{powers(points, m), Matrix(size, std::vector<double>(size, 0)),
                            powers(points, r)};
  for (int i = 0; i <= points; ++i) {
    const std::vector<double> basis = polynomial(points, i);  // all points when i is infinity
    const auto column = static_cast<std::size_t>(i);
    double scale = i < points ? value_at(basis, kPoints[column]) : 1;
    const double sign =
        i == 0 && scale < 0 ? -1 : 1;  // the first row of G starts with a positive value
    scale *= sign;
    // Adding 0 makes -0, which would print, a plain 0.
    for (std::size_t row = 0; row < basis.size(); ++row)
      matrices.b[row][column] = sign * basis[row] + 0.0;
    for (double& entry : matrices.g[column]) entry = entry / scale + 0.0;
  }
  return matrices;
}

ir::Expr look_up(const Matrix& matrix, const ir::Expr& i, const ir::Expr& j, ir::Type type) {
  const auto rows = static_cast<std::int64_t>(matrix.size());
  const auto columns = static_cast<std::int64_t>(matrix.front().size());
  ir::Expr entry = ir::constant(0, type);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      const ir::Expr is_here = ir::logical_and(ir::eq(ir::floor_mod(i, rows), row),
                                               ir::eq(ir::floor_mod(j, columns), column));
      const double value = matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
      entry = ir::select(is_here, ir::constant(value, type), entry);
    }
  }
  return entry;
}

}  // namespace hone::task
