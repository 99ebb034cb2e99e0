// The rows that cost models of CPUs read: Ansor's statement features, then what code is made of them.
#pragma once
#include "feature/code.h"
#include "feature/replayed.h"

namespace hone::feature {

inline constexpr std::size_t kCpuColumns = kStatementColumns + kCodeColumns;
// Changes when a column changes its meaning; files of models carry it.
inline constexpr int kCpuVersion = 7;

struct Rows {
  std::vector<float> values;  // kCpuColumns a row
  std::vector<int> stages;    // the stage (and op) of each row
};

// No rows when the program does not fit on the hardware (limits.h).
Rows cpu_rows(const Replayed& program, const target::Target& target);

constexpr std::size_t cpu_column(CodeColumn column) {
  return kStatementColumns + static_cast<std::size_t>(column);
}

}  // namespace hone::feature
