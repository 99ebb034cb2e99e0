#include "lower/optimise.h"

#include "lower/passes.h"

namespace hone::lower {

const std::vector<Pass>& passes() {
  static const std::vector<Pass> list = {
      {"skip_padding", skip_padding},  // padding taps of sums become conditions
      {"partition", partition},        // border and tail tiles get copies of their own
      {"remainders", remainders},      // remainders that decide parts of tiles get copies, too
      {"clip", clip},                  // other conditions become loop bounds
      {"flatten", flatten},            // indices become element offsets
      {"fold", fold},                  // reductions over one vector become trees
      {"vectorise", vectorise},        // vector loops become vector statements
      {"unroll", unroll},              // register tiles and short loops become straight lines
      {"registers", registers},        // small constant-indexed buffers leave memory
      {"promote", promote},            // register tiles stay in registers over reductions
      {"forward", forward},            // what a block stores and loads again stays in registers
      {"order", order},                // straight lines follow register pressure
      {"prefetch", prefetch},          // loops ask for what their later iterations load
  };
  return list;
}

ir::Program optimise(ir::Program nest, const target::Target& target, const PassListener& listener) {
  for (const Pass& pass : passes()) {
    nest = pass.run(std::move(nest), target);
    if (listener) listener(pass.name, nest);
  }
  return nest;
}

}  // namespace hone::lower
