// A sketch rule of one's own: elementwise results in blocks.
//
// Ansor leaves the loops of an elementwise result as they are, and its annotation makes vectors only of
// loops that are short anyway. This rule adds another way to go on: the last axis in blocks, whose
// length is left open for the search to choose.
#include <fmt/format.h>

#include "schedule/state.h"
#include "space/sketch.h"
#include "task/catalogue.h"

namespace {

namespace schedule = hone::schedule;
namespace space = hone::space;
namespace task = hone::task;

space::Answer condition(const space::Site& site) {
  const bool is_result = site.analysis.is_output[static_cast<std::size_t>(site.stage)];
  const bool is_elementwise = site.op().reduce_axes.empty() && !site.op().axes.empty();
  const bool fits = is_result && is_elementwise && !site.needs_tiling();
  return fits ? space::Answer::Apply : space::Answer::Skip;
}

std::vector<space::Draft> apply(const space::Site& site) {
  space::Draft draft{site.state, site.stage - 1};
  const auto last = static_cast<int>(site.op().axes.size()) - 1;
  const std::optional<std::int64_t> open;
  schedule::apply(draft.state, schedule::Split{site.stage, last, site.op().axes.back().extent, {open}});
  return {std::move(draft)};
}

}  // namespace

int main() {
  const auto tanh = std::make_shared<const task::Task>(task::from_op("elementwise:n=1000,fn=tanh"));
  space::SketchOptions options;
  options.rules.push_back({"blocks", condition, apply});
  for (const space::Sketch& sketch : space::sketches(tanh, space::Hardware{}, options)) {
    fmt::print("sketch\n{}", schedule::print(schedule::replay(tanh, sketch.steps)));
  }
}
