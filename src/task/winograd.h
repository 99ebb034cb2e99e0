// The matrices of Winograd convolution.
#pragma once
#include <vector>

#include "ir/expr.h"

namespace hone::task {

using Matrix = std::vector<std::vector<double>>;  // rows

// F(m, r): m outputs of a convolution with r taps from m + r - 1 inputs d and a kernel g, in as many
// products: A^T ((G g) * (B^T d)). In two dimensions both sides are transformed:
// A^T ((G g G^T) * (B^T d B)) A.
struct WinogradMatrices {
  Matrix a;  // [m + r - 1][m]
  Matrix b;  // [m + r - 1][m + r - 1]
  Matrix g;  // [m + r - 1][r]
};

// By Cook and Toom's construction over the points 0, -1, 1, 1/2, -2 and infinity, as many as needed:
// those TVM takes, so that records made for its transforms fit. m + r - 1 is at most kMaxWinogradRows.
inline constexpr int kMaxWinogradRows = 6;
WinogradMatrices winograd_matrices(int m, int r);

// The entry [i, j] of a constant matrix as TVM writes it: one selection an entry, the last entry
// outermost.
ir::Expr look_up(const Matrix& matrix, const ir::Expr& i, const ir::Expr& j, ir::Type type);

}  // namespace hone::task
