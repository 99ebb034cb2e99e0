#include <algorithm>

#include "space/readers.h"
#include "space/rules/loops.h"
#include "space/rules/rules.h"
#include "space/rules/tile.h"

namespace hone::space::rules {
namespace {

// In how many levels the consumer may follow the tiles: one alternative each. On a GPU the third level
// is the threads', and below them everything stays in registers.
std::vector<int> follow_levels(const Site& site) {
  const bool is_tiled =
      site.levels.count(TileLevel::Space) > 1 &&
      std::ranges::any_of(site.iters(), [&](const schedule::Iterator& iter) {
        return iter.kind == schedule::IterKind::Spatial && !stays_whole(site.op(), iter.name);
      });
  if (!is_tiled) return {};
  std::vector<int> levels = site.on_gpu() ? std::vector{3} : std::vector{1, 2};
  std::erase_if(levels, [&](int n) { return n > site.levels.leading_space(); });
  return levels;
}

// Splits the consumer's axes as the stage's own, in `levels` levels and a rest, and orders its loops by
// level.
void follow(schedule::State& state, int consumer, const Tiled& tiled, int levels) {
  std::vector<std::vector<int>> order(static_cast<std::size_t>(levels) + 1);
  std::vector<int> whole;
  int at = 0;
  for (const std::optional<int> source : tiled.splits) {
    if (!source) {
      whole.push_back(at++);
      continue;
    }
    apply(state, schedule::FollowSplit{consumer, at, *source, levels});
    for (std::vector<int>& level : order) level.push_back(at++);
  }
  order.back().insert(order.back().begin(), whole.begin(), whole.end());
  reorder(state, consumer, order);
}

Answer condition(const Site& site) {
  const bool fits = site.needs_tiling() && !follow_levels(site).empty() &&
                    elementwise_consumer(site.state, site.analysis, site.stage) >= 0;
  if (!fits) return Answer::Skip;
  return site.on_gpu() || is_write_cache(site.state, site.stage) ? Answer::Only : Answer::Apply;
}

std::vector<Draft> apply_rule(const Site& site) {
  const int consumer = elementwise_consumer(site.state, site.analysis, site.stage);
  const Tiled tiled = tile(site);
  const auto n_split = std::ranges::count_if(tiled.splits, [](const auto& s) { return s.has_value(); });
  std::vector<Draft> drafts;
  for (const int levels : follow_levels(site)) {
    Draft draft{tiled.state, site.stage - 1};
    follow(draft.state, consumer, tiled, levels);
    const int innermost = levels * static_cast<int>(n_split) - 1;
    apply(draft.state, schedule::ComputeAt{site.stage, consumer, innermost});
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

}  // namespace

Rule tiling_with_fusion() { return {"tiling_with_fusion", condition, apply_rule}; }

}  // namespace hone::space::rules
