#include "space/blocks.h"

#include <algorithm>
#include <numeric>

#include "space/choose.h"

namespace hone::space {
namespace {

constexpr int kNone = -1;

class BlockFinder {
 public:
  BlockFinder(const task::Task& task, const task::Analysis& analysis, std::vector<StageRole>& roles)
      : task_(task), analysis_(analysis), roles_(roles), last_(task.ops.size() - 1) {}

  void run() {
    const std::vector<std::size_t> inside = candidates();
    const auto is_tiled = [&](std::size_t op) { return roles_[op].role == Role::Tiled; };
    if (std::ranges::none_of(inside, is_tiled)) return;
    follow_axes();
    const std::vector<bool> shared = is_patches() ? shared_columns(inside) : shared_axes(inside);
    if (std::ranges::none_of(shared, [](bool is_shared) { return is_shared; })) return;
    for (const std::size_t op : inside) {
      roles_[op].around = static_cast<int>(last_);
      if (is_patches() && is_tiled(op)) roles_[op].around_loop = 1;
    }
    roles_[last_].shared = shared;
  }

 private:
  bool is_patches() const { return roles_[last_].role == Role::Patches; }

  std::vector<bool> shared_axes(const std::vector<std::size_t>& inside) const {
    std::vector<bool> shared;
    for (std::size_t axis = 0; axis < task_.ops[last_].axes.size(); ++axis) {
      shared.push_back(task_.ops[last_].axes[axis].extent > 1 &&
                       std::ranges::all_of(inside, [&](std::size_t op) { return walks(op, axis); }));
    }
    return shared;
  }

  // Blocks of patches are columns of products. What these are made from is computed by every thread for
  // itself: that takes less time than to bring it from the caches of other cores.
  std::vector<bool> shared_columns(const std::vector<std::size_t>& inside) const {
    std::vector<bool> shared(task_.ops[last_].axes.size(), false);
    shared.back() = std::ranges::all_of(inside, [&](std::size_t op) {
      return roles_[op].role != Role::Tiled || walks(op, shared.size() - 1);
    });
    return shared;
  }

  // Ops with loops of their own. Patches are meant whose elements lie far apart, the quarters of a
  // matrix; those that lie side by side, as Winograd's, run in parallel by themselves.
  std::vector<std::size_t> candidates() const {
    std::vector<std::size_t> found;
    const StageRole& last = roles_[last_];
    if (last.role != Role::Patches && (last.role != Role::Tiled || last.target >= 0)) return found;
    const auto is_whole = [&](std::size_t axis) {
      const task::Op& op = task_.ops[last_];
      return is_patch_axis(op, op.axes[axis]) ||
             (last.pieces[axis] > 1 && last.pieces[axis] == op.axes[axis].extent);
    };
    std::vector<std::size_t> axes(last.pieces.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (is_patches() && std::ranges::none_of(axes, is_whole)) return found;
    for (std::size_t op = 0; op < last_; ++op) {
      const Role role = roles_[op].role;
      const bool is_tiled = role == Role::Tiled && roles_[op].target < 0;
      if (is_tiled || role == Role::Epilogue || role == Role::Rows || role == Role::Patches)
        found.push_back(op);
    }
    return found;
  }

  // Which axis of the last op each dimension of the others follows: the one whose iterations read it at
  // their own number, wherever it is read.
  void follow_axes() {
    along_.resize(task_.ops.size());
    along_[last_].resize(task_.ops[last_].axes.size());
    std::iota(along_[last_].begin(), along_[last_].end(), 0);
    for (std::size_t reader = last_ + 1; reader-- > 0;) {
      for (const auto& [producer, accesses] : analysis_.reads[reader]) {
        for (const auto& index : accesses) follow(reader, static_cast<std::size_t>(producer), index);
      }
    }
  }

  void follow(std::size_t reader, std::size_t producer, const std::vector<ir::Expr>& index) {
    const bool is_first = along_[producer].empty();
    along_[producer].resize(index.size(), kNone);
    for (std::size_t d = 0; d < index.size(); ++d) {
      int axis = kNone;
      for (std::size_t a = 0; a < along_[reader].size(); ++a) {
        if (index[d].same(task_.ops[reader].axes[a].var)) axis = along_[reader][a];
      }
      if (!is_first && along_[producer][d] != axis) axis = kNone;
      along_[producer][d] = axis;
    }
  }

  bool walks(std::size_t op, std::size_t axis) const {
    return std::ranges::find(along_[op], static_cast<int>(axis)) != along_[op].end();
  }

  const task::Task& task_;
  const task::Analysis& analysis_;
  std::vector<StageRole>& roles_;
  const std::size_t last_;
  std::vector<std::vector<int>> along_;  // of every op that is read, one entry a dimension
};

}  // namespace

void place_in_blocks(const task::Task& task, const task::Analysis& analysis,
                     std::vector<StageRole>& roles) {
  BlockFinder(task, analysis, roles).run();
}

void keep_blocks_whole(const task::Op& op, const StageRole& role, Tiling& t) {
  for (std::size_t a = 0; a < role.shared.size(); ++a) {
    if (!role.shared[a]) t.level1[a] = tiles(op, t, a);
  }
}

}  // namespace hone::space
