// From the plain nest to the program code is made of: one visible list of passes.
#pragma once
#include <functional>
#include <string_view>

#include "ir/program.h"
#include "target/target.h"

namespace hone::lower {

struct Pass {
  std::string_view name;
  ir::Program (*run)(ir::Program program, const target::Target& target);
};
// The passes in the order in which they run.
const std::vector<Pass>& passes();

using PassListener = std::function<void(std::string_view pass, const ir::Program& after)>;
// The result holds: Serial and Parallel loops; Let; If/Else; stores to flat buffers (one index: an
// element offset, a Ramp of stride 1 for vectors); vector types of native or power-of-two length;
// Register buffers with constant indices; no Vectorized or Unrolled loops, no lazy Select over a load.
ir::Program optimise(ir::Program nest, const target::Target& target, const PassListener& listener = {});

}  // namespace hone::lower
