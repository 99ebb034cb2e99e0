// One row of statement features before it is written as numbers: everything known of one tensor's
// stores.
#pragma once
#include <array>
#include <vector>

#include "feature/loop_tree.h"
#include "feature/names.h"

namespace hone::feature {

enum class Reuse : std::uint8_t { Loop, Serial, None };

struct TensorUse {
  AccessKind kind;
  double bytes, unique_bytes, lines, unique_lines;
  Reuse reuse;
  double reuse_distance_iterations, reuse_distance_bytes, reuse_count;
  double stride;
};

struct LoopGroup {  // enclosing loops of one kind
  int count = 0;
  double product = 0, innermost = 0;
};

// Operations add up over all stores to the tensor; the rest is that of the last one.
struct Row {
  std::array<double, 7> floats{}, ints{};  // multiply-add, add, multiply, divide, compare, functions
  double logical = 0, select = 0;
  LoopGroup vectorized, unrolled, parallel;
  bool is_gpu = false;
  std::array<double, 7> threads{};  // block x, y, z; thread x, y, z; virtual threads
  std::vector<TensorUse> uses;      // in the order in which columns list them
  std::array<double, kCurvePoints> curve{};
  double allocated_bytes = 0, allocated_elements = 0, allocated_outside = 0, allocated_inside = 0;
  double outer_product = 0, loops = 0, auto_unroll_max_step = 0;
};

void write(const Row& row, float* columns);  // kStatementColumns of them

}  // namespace hone::feature
