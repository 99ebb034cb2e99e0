#include "space/rules/tile.h"

#include <algorithm>

#include "space/rules/loops.h"

namespace hone::space::rules {
namespace {

// The iterators of one kind, spatial or reduce, by level.
struct Levels {
  explicit Levels(int count) : tiles(static_cast<std::size_t>(count)) {}

  std::vector<std::vector<int>> tiles;  // outermost level first
  std::vector<int> whole;               // come before those of the innermost level
  std::size_t n_taken = 0;

  std::vector<int> take_outermost() {
    std::vector<int> taken = std::move(tiles[n_taken++]);
    if (n_taken == tiles.size()) taken.insert(taken.begin(), whole.begin(), whole.end());
    return taken;
  }
};

}  // namespace

bool stays_whole(const task::Op& op, std::string_view axis) {
  return std::ranges::find(op.hints.no_split_at_inner, axis) != op.hints.no_split_at_inner.end();
}

Tiled tile(const Site& site) {
  Tiled result{site.state, {}};
  Levels space(site.levels.count(TileLevel::Space));
  Levels reduction(site.levels.count(TileLevel::Reduction));
  int at = 0;
  for (const schedule::Iterator& iter : site.iters()) {
    const bool is_space = iter.kind == schedule::IterKind::Spatial;
    Levels& levels = is_space ? space : reduction;
    const auto n_parts = static_cast<int>(levels.tiles.size());
    std::optional<int> step;
    if (stays_whole(site.op(), iter.name)) {
      levels.whole.push_back(at++);
    } else {
      if (n_parts > 1) step = split_open(result.state, site.stage, at, n_parts);
      for (std::vector<int>& level : levels.tiles) level.push_back(at++);
    }
    if (is_space) result.splits.push_back(step);
  }
  std::vector<std::vector<int>> order;
  for (const TileLevel level : site.levels.levels) {
    order.push_back((level == TileLevel::Space ? space : reduction).take_outermost());
  }
  reorder(result.state, site.stage, order);
  return result;
}

}  // namespace hone::space::rules
