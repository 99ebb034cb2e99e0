// A candidate as feature extraction sees it: loops, allocations and stores in the order of the plain
// nest, with indices as sums over the loops' counters. It is far cheaper to make than a loop program.
#pragma once
#include <cstdint>
#include <vector>

#include "feature/operations.h"
#include "schedule/state.h"

namespace hone::feature {

// A loop of extent 1 is only there when threads run it.
struct Loop {
  ir::LoopKind kind;
  std::int64_t extent;
  schedule::Var var;
  int parent;  // -1 at the root
  int depth;   // 0 at the root
  int ahead;   // the tensor that it prefetches, -1 when there is none
  // How often it runs depends on the loops around: it copies a part that may reach beyond an edge.
  bool is_clipped = false;
};

struct Tensor {
  const std::vector<std::int64_t>* shape;  // whole, however little of it is computed
  int element_bytes;
  int stage;
};

enum class AccessKind : std::uint8_t { Read, Write, ReadWrite };
using Index = std::vector<schedule::Sum>;  // one sum a dimension, from the whole tensor's first element
struct Access {
  int tensor;
  AccessKind kind;
  std::vector<Index> indices;  // an update is listed once
};

struct Store {
  int tensor;
  int loop;                      // the innermost around it, -1 when there is none
  int auto_unroll_max_step;      // of the pragma that holds here, 0 without one
  bool is_scalar;                // what it does depends on the element, so that no vector can do it
  Operations operations;         // of one execution
  std::vector<Access> accesses;  // what is written comes first, then reads as they are met
};

struct Allocation {
  int tensor;
  int loop;  // around it, -1 when there is none
  std::int64_t elements;
  ir::Scope scope;
};

struct LoopTree {
  schedule::Vars vars;
  std::vector<Tensor> tensors;
  std::vector<Loop> loops;  // parents before children, in the order of the nest
  std::vector<Store> stores;
  std::vector<Allocation> allocations;  // results count as allocated at the root
};

// The state must have its bounds, and must outlive the tree.
LoopTree loop_tree(const schedule::State& state);

}  // namespace hone::feature
