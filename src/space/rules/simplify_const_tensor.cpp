#include <algorithm>

#include "space/rules/loops.h"
#include "space/rules/rules.h"

namespace hone::space::rules {
namespace {

Answer condition(const Site& site) {
  return site.op().hints.simplify_const_tensor_indices.empty() ? Answer::Skip : Answer::Only;
}

// Outer tiles, inner tiles, then the axes over constants, unrolled: the constants vanish into the code.
std::vector<Draft> apply_rule(const Site& site) {
  Draft draft{site.state, site.stage - 1};
  const std::vector<std::string>& constant = site.op().hints.simplify_const_tensor_indices;
  std::vector<int> outer, inner, unrolled;
  int at = 0;
  for (const schedule::Iterator& iter : site.iters()) {
    if (std::ranges::find(constant, iter.name) != constant.end()) {
      apply(draft.state, schedule::Annotate{site.stage, at, ir::LoopKind::Unrolled});
      unrolled.push_back(at++);
    } else {
      split_open(draft.state, site.stage, at, 2);
      outer.push_back(at++);
      inner.push_back(at++);
    }
  }
  reorder(draft.state, site.stage, {outer, inner, unrolled});
  return {std::move(draft)};
}

}  // namespace

Rule simplify_const_tensor() { return {"simplify_const_tensor", condition, apply_rule}; }

}  // namespace hone::space::rules
