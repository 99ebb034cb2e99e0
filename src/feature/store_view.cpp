#include "feature/store_view.h"

#include <algorithm>
#include <limits>

#include "feature/index.h"

namespace hone::feature {

StoreView::StoreView(const LoopTree& tree, const std::vector<StageLayout>& layouts)
    : tree_(tree),
      layouts_(layouts),
      buffer_bytes_(tree.tensors.size(), std::numeric_limits<double>::infinity()) {
  for (const Allocation& each : tree.allocations) {
    if (each.loop < 0) continue;
    const auto id = static_cast<std::size_t>(each.tensor);
    buffer_bytes_[id] = static_cast<double>(each.elements) * tree.tensors[id].element_bytes;
  }
  int n_vars = 0;
  for (const Loop& each : tree.loops) n_vars = std::max(n_vars, each.var + 1);
  depth_of_.assign(static_cast<std::size_t>(n_vars), -1);
}

void StoreView::look_at(const Store& store) {
  for (const int l : loops_)
    depth_of_[static_cast<std::size_t>(tree_.loops[static_cast<std::size_t>(l)].var)] = -1;
  store_ = &store;
  loops_.clear();
  for (int l = store.loop; l >= 0;) {
    const Loop& here = tree_.loops[static_cast<std::size_t>(l)];
    loops_.push_back(l);
    depth_of_[static_cast<std::size_t>(here.var)] = here.depth;
    l = here.parent;
  }
}

double StoreView::elements_inside(const Access& access, std::size_t n, std::int64_t turns) {
  touched_box(tree_.vars, access, depth_of_, loop(n - 1).depth, box_, turns);
  double elements = 1;
  for (const std::int64_t extent : box_) elements *= static_cast<double>(extent);
  return elements;
}

double StoreView::share_inside(const Access& written) {
  if (loops_.empty()) return 1;
  elements_inside(written, loops_.size());
  double share = 1;
  const std::vector<std::int64_t>& shape = *tensor(written).shape;
  for (std::size_t d = 0; d < shape.size(); ++d)
    share *= std::min(1.0, static_cast<double>(shape[d]) / static_cast<double>(box_[d]));
  return share;
}

double StoreView::executions() {
  double executions = 1;
  for (std::size_t i = 0; i < loops_.size(); ++i) executions *= static_cast<double>(loop(i).extent);
  return executions * share_inside(store_->accesses.front());
}

const Footprints& StoreView::footprints() {
  touched_.buffer_bytes.clear();
  touched_.extents.clear();
  touched_.parts.clear();
  touched_.fresh_parts.clear();
  for (const Access& access : store_->accesses)
    touched_.buffer_bytes.push_back(buffer_bytes_[static_cast<std::size_t>(access.tensor)]);
  for (std::size_t n = 1; n <= loops_.size(); ++n) {
    std::int64_t before = 1;
    find_periods(loop(n - 1));
    for (const std::int64_t turns : periods_) {
      if (turns <= before || turns % before != 0) continue;
      touched_.extents.push_back(static_cast<double>(turns / before));
      for (const Access& access : store_->accesses) {
        if (boxes_.size() == touched_.parts.size()) boxes_.emplace_back();
        touched_.parts.push_back(part_inside(access, n, turns));
        boxes_[touched_.parts.size() - 1] = box_;
      }
      before = turns;
    }
  }
  for (std::size_t loop = 0; loop < touched_.extents.size(); ++loop) {
    for (std::size_t o = 0; o < store_->accesses.size(); ++o)
      touched_.fresh_parts.push_back(fresh_part(loop, o));
  }
  return touched_;
}

// Along each dimension it is no longer than the way that the next loop around goes at a time.
Footprint StoreView::fresh_part(std::size_t loop, std::size_t operand) {
  const Access& access = store_->accesses[operand];
  const Footprint& part = touched_.part(loop, operand);
  if (is_packed(access)) return part;
  const auto box = [&](std::size_t at) -> const auto& {
    return boxes_[at * store_->accesses.size() + operand];
  };
  box_ = box(loop);
  for (std::size_t d = 0; d < box_.size(); ++d) {
    for (std::size_t outer = loop + 1; outer < touched_.extents.size(); ++outer) {
      const std::int64_t grown = box(outer)[d] - box(outer - 1)[d];
      if (grown <= 0) continue;
      const auto turns = static_cast<std::int64_t>(touched_.extents[outer]);
      box_[d] = std::min(box_[d], std::max<std::int64_t>(grown / (turns - 1), 1));
      break;
    }
  }
  if (box_ == box(loop)) return part;
  const Tensor& whole = tensor(access);
  return footprint(box_, *whole.shape, whole.element_bytes);
}

void StoreView::find_periods(const Loop& loop) {
  periods_.assign(1, loop.extent);
  for (const Access& access : store_->accesses) add_periods(tree_.vars, access, loop.var, periods_);
  std::ranges::sort(periods_);
}

Footprint StoreView::part_inside(const Access& access, std::size_t n, std::int64_t turns) {
  const double elements = elements_inside(access, n, turns);
  const Tensor& whole = tensor(access);
  Footprint part = footprint(box_, *whole.shape, whole.element_bytes);
  if (is_packed(access)) {
    const double bytes = elements * whole.element_bytes;
    part = {.bytes = bytes, .run = bytes, .in_page = std::min<double>(bytes, kPageBytes)};
  }
  part.bytes = std::min(part.bytes, buffer_bytes_[static_cast<std::size_t>(access.tensor)]);
  part.passes = access.kind == AccessKind::Read ? 1 : 2;
  return part;
}

}  // namespace hone::feature
