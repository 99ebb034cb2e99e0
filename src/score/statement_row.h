// The columns of the statement features that say how long a statement takes, as plain quantities.
#pragma once
#include <array>
#include <span>

namespace hone::score {

struct StatementRow {
  struct Use {  // of a tensor, over the whole run
    bool is_written;
    double bytes, unique_bytes, lines, unique_lines;
    double reuse_distance_bytes, reuse_count;  // 0 without reuse
    double stride;                             // in elements, 0 unless the innermost loop moves it
  };
  double float_operations, other_operations;
  double vector_loops, vector_length, unrolled,
      parallel;  // the latter two are products, 0 without loops
  std::array<Use, 5> uses;
  double iterations;  // of all loops around it
  double auto_unroll;
};

// Undoes the logarithms in which the features are written.
StatementRow read_statement(std::span<const float> columns);

}  // namespace hone::score
