// A store as the loops around it see it: which elements of its operands some of them touch.
#pragma once
#include <vector>

#include "feature/layouts.h"
#include "feature/loop_tree.h"
#include "feature/touch.h"
#include "feature/traffic.h"

namespace hone::feature {

class StoreView {
 public:
  // Both must outlive it.
  StoreView(const LoopTree& tree, const std::vector<StageLayout>& layouts);

  // Everything below is about the store that was looked at last.
  void look_at(const Store& store);

  const std::vector<int>& loops() const { return loops_; }  // around it, innermost first
  const Loop& loop(std::size_t i) const { return tree_.loops[static_cast<std::size_t>(loops_[i])]; }
  const Tensor& tensor(const Access& access) const {
    return tree_.tensors[static_cast<std::size_t>(access.tensor)];
  }
  const StageLayout& layout(const Access& access) const {
    return layouts_[static_cast<std::size_t>(tensor(access).stage)];
  }
  // Reads follow the layout; filling it may go across.
  bool is_packed(const Access& access) const {
    return access.kind == AccessKind::Read && layout(access).is_packed;
  }

  // Different elements of the operand that the innermost `n` loops touch.
  double elements_inside(const Access& access, std::size_t n, std::int64_t turns = kAllTurns);
  // How often it is executed: tiles that reach beyond the edge of what it writes are cut there.
  double executions();
  // What the loops touch, from the innermost to all; of loops that were fused into one, each by itself.
  const Footprints& footprints();

 private:
  double share_inside(const Access& written);
  void find_periods(const Loop& loop);
  Footprint part_inside(const Access& access, std::size_t n, std::int64_t turns);
  Footprint fresh_part(std::size_t loop, std::size_t operand);

  const LoopTree& tree_;
  const std::vector<StageLayout>& layouts_;
  // By tensor, of what holds it: a part that is computed where it is needed is written over and over.
  std::vector<double> buffer_bytes_;

  const Store* store_ = nullptr;
  std::vector<int> loops_;
  std::vector<int> depth_of_;  // by variable, -1 for loops that are not around it
  std::vector<std::int64_t> box_;
  std::vector<std::int64_t> periods_;
  std::vector<std::vector<std::int64_t>> boxes_;  // of touched_.parts, and maybe more behind them
  Footprints touched_;
};

}  // namespace hone::feature
