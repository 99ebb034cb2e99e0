// The columns of statement features.
#pragma once
#include <string>
#include <vector>

namespace hone::feature {

inline constexpr int kStatementColumns = 164;
inline constexpr int kMaxTensors = 5;  // of one statement; the least used are left out
inline constexpr int kCurvePoints = 10;

// Changes when a column changes its meaning; files of models carry it.
inline constexpr int kStatementVersion = 1;

const std::vector<std::string>& statement_names();

}  // namespace hone::feature
