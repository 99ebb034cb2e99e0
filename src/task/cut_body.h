// Bodies that TVM's printer cut in the middle, found again from their two ends.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "task/task.h"

namespace hone::task {

bool is_cut(std::string_view line);

// The whole line. What is known: the constant matrices of Winograd (A, B and G), the polynomials of
// TVM's fast_exp and fast_tanh, and the divisor of an adaptive average pool, which follows from the sum
// over the same windows among the `earlier` ops. The answer begins and ends as the cut line does; when
// none does, throws UserError.
std::string restore_cut_line(std::string_view line, int line_number, const std::vector<Op>& earlier);

}  // namespace hone::task
