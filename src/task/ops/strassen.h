// The product of two matrices by seven products of their quarters (Strassen, 1969).
#pragma once
#include "task/ops/draft.h"
#include "task/winograd.h"

namespace hone::task::ops {

inline constexpr std::int64_t kStrassenProducts = 7;

// With quarters in the order 00, 01, 10, 11 (row, column) a product is
// result^T ((left^T a) * (right b)), entries of a and b being quarters.
struct StrassenMatrices {
  Matrix left;    // [quarters of a][products]
  Matrix right;   // [products][quarters of b]
  Matrix result;  // [products][quarters of the result]
};
const StrassenMatrices& strassen_matrices();

// a [m/2, 2, 2, k/2] times b, of which the sums of quarters are there: weight [7, k/2, n/2]. The result
// is [m/2, 2, 2, n/2]: a quarter has every second row and half of the columns, so that in memory both
// are matrices as they always are.
ir::Buffer multiply_quarters(Draft& draft, const ir::Buffer& a, const ir::Buffer& weight, Hints hints);

}  // namespace hone::task::ops
