// Small matrices of constants, and the ops that multiply by them: their loops are unrolled, and the
// numbers become part of the code.
#pragma once
#include "task/ops/draft.h"
#include "task/winograd.h"

namespace hone::task::ops {

// As a computed tensor, which schedules inline and unrolling then folds.
ir::Buffer constant_matrix(Draft& draft, const std::string& name, const Matrix& values, ir::Type type);

// Hints of an op that multiplies by one: the axes that walk over it, to be unrolled.
Hints unrolled(const Axes& axes);

}  // namespace hone::task::ops
