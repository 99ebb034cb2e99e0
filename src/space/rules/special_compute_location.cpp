#include <algorithm>

#include "space/readers.h"
#include "space/rules/always_inline.h"
#include "space/rules/rules.h"

namespace hone::space::rules {
namespace {

// The loop just outside the unrolled ones of the only consumer, which walks over constant matrices; a
// consumer of -1 when there is no such place.
struct Place {
  int consumer = -1, iter = -1;
};
Place place_of(const Site& site) {
  const std::set<int> readers = consumers(site.state, site.analysis, site.stage);
  if (readers.size() != 1) return {};
  const int consumer = *readers.begin();
  if (site.op(consumer).hints.simplify_const_tensor_indices.empty()) return {};
  const auto& iters = site.iters(consumer);
  const auto unrolled =
      std::ranges::find(iters, ir::LoopKind::Unrolled, &schedule::Iterator::annotation);
  if (unrolled == iters.begin() || unrolled == iters.end()) return {};
  return {consumer, static_cast<int>(unrolled - iters.begin()) - 1};
}

Answer condition(const Site& site) {
  const bool fits = !producers(site.state, site.analysis, site.stage).empty() &&
                    should_be_inlined(site) && place_of(site).consumer >= 0;
  return fits ? Answer::Only : Answer::Skip;
}

std::vector<Draft> apply_rule(const Site& site) {
  Draft draft{site.state, site.stage - 1};
  const Place place = place_of(site);
  apply(draft.state, schedule::ComputeAt{site.stage, place.consumer, place.iter});
  return {std::move(draft)};
}

}  // namespace

Rule special_compute_location() { return {"special_compute_location", condition, apply_rule}; }

}  // namespace hone::space::rules
