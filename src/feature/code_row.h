// What hone's code generator makes of a whole program, as one row: the analysis that search begins
// with, and what its estimate is made of.
#pragma once
#include <string>
#include <vector>

#include "feature/replayed.h"

namespace hone::feature {

// Changes when a column changes its meaning; files of models carry it.
inline constexpr int kCodeRowVersion = 7;

const std::vector<std::string>& code_row_names();
std::vector<float> code_row(const Replayed& program);

// The column that holds log2(1 + cycles) of all statements together.
std::size_t code_row_cycles();

}  // namespace hone::feature
