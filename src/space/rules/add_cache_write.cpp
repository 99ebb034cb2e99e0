#include "space/readers.h"
#include "space/rules/rules.h"

namespace hone::space::rules {
namespace {

// With an elementwise consumer the stage is computed inside that one's tiles instead.
Answer condition(const Site& site) {
  const bool has_consumer = elementwise_consumer(site.state, site.analysis, site.stage) >= 0;
  if (!site.needs_tiling() || has_consumer) return Answer::Skip;
  return site.on_gpu() ? Answer::Only : Answer::Apply;
}

// The cache takes the stage's id and is decided next: the copy is its elementwise consumer.
std::vector<Draft> apply_rule(const Site& site) {
  Draft draft{site.state, site.stage};
  apply(draft.state, schedule::CacheWrite{site.stage, "local"});
  return {std::move(draft)};
}

}  // namespace

Rule add_cache_write() { return {"add_cache_write", condition, apply_rule}; }

}  // namespace hone::space::rules
