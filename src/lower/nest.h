// A candidate as the plain loop nest, with TVM's semantics: what interpreter, features and code read.
#pragma once
#include "ir/program.h"
#include "schedule/state.h"

namespace hone::lower {

struct NestOptions {
  bool pack_constants = false;  // read layout-free placeholders in the schedule's own layout
  // Of the parameters, in elements: tensors may be parts of larger ones. Those that have none are
  // dense.
  std::vector<std::vector<std::int64_t>> strides = {};
};

// The state must have its bounds. Parameters are the placeholders in stage order, then the outputs.
// Loops of extent 1 are left out; splits that do not divide are guarded; reductions begin with a store
// of the identity; attached stages are computed in buffers as large as the region their consumer reads.
ir::Program nest(const schedule::State& state, const NestOptions& options = {});

}  // namespace hone::lower
