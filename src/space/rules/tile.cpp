#include "space/rules/tile.h"

#include <algorithm>

#include "base/error.h"
#include "space/rules/loops.h"

namespace hone::space::rules {
namespace {

using Levels = std::vector<std::vector<int>>;  // of one kind, outermost first; each lists iterators

struct Levelled {
  explicit Levelled(int count) : tiled(static_cast<std::size_t>(count)) {}

  Levels tiled;
  std::vector<int> whole;

  Levels merged() const {
    Levels result = tiled;
    result.back().insert(result.back().begin(), whole.begin(), whole.end());
    return result;
  }
};

}  // namespace

bool stays_whole(const task::Op& op, std::string_view axis) {
  return std::ranges::find(op.hints.no_split_at_inner, axis) != op.hints.no_split_at_inner.end();
}

Tiled tile(const Site& site) {
  Tiled result{site.state, {}};
  const auto& iters = site.state.stages[static_cast<std::size_t>(site.stage)].iters;
  Levelled space(site.levels.count(TileLevel::Space));
  Levelled reduction(site.levels.count(TileLevel::Reduction));
  int at = 0;
  for (const schedule::Iterator& iter : iters) {
    const bool is_space = iter.kind == schedule::IterKind::Spatial;
    check(is_space || iter.kind == schedule::IterKind::Reduction, "a stage is tiled only once");
    Levelled& kind = is_space ? space : reduction;
    const auto parts = static_cast<int>(kind.tiled.size());
    std::optional<int> step;
    if (stays_whole(site.op(), iter.name)) {
      kind.whole.push_back(at++);
    } else {
      if (parts > 1) step = split_open(result.state, site.stage, at, parts - 1);
      for (std::vector<int>& level : kind.tiled) level.push_back(at++);
    }
    if (is_space) result.splits.push_back(step);
  }
  const Levels levels[] = {space.merged(), reduction.merged()};
  std::size_t next[] = {0, 0};
  Levels order;
  for (const TileLevel level : site.levels.levels) {
    const std::size_t kind = level == TileLevel::Space ? 0 : 1;
    order.push_back(levels[kind][next[kind]++]);
  }
  reorder(result.state, site.stage, order);
  return result;
}

}  // namespace hone::space::rules
