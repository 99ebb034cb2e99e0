#include "space/patch_steps.h"

#include <algorithm>
#include <numeric>

namespace hone::space {
namespace {

class PatchWriter {
 public:
  PatchWriter(const task::Task& task, const std::vector<StageRole>& roles, schedule::Steps& steps)
      : task_(task), roles_(roles), steps_(steps) {}

  // Patches in parallel, then vectors of the last axis. A line of a patch, one vector deep, is a
  // straight line of code, and so are those of what is computed inside; lines of one patch are the same
  // code, because constant matrices are indexed along the line only.
  void patches(int id, const PatchTiling& t) {
    const Loops loops = cut(id, t);
    std::vector<int> order = loops.outer;
    order.insert(order.end(), loops.middle.begin(), loops.middle.end());
    order.insert(order.end(), loops.passing.begin(), loops.passing.end());
    order.insert(order.end(), loops.patch.begin(), loops.patch.end());
    order.push_back(loops.lanes);
    steps_.push_back(schedule::Reorder{id, order});
    if (loops.outer.size() > 1) {
      std::vector<int> outer(loops.outer.size());
      std::iota(outer.begin(), outer.end(), 0);
      steps_.push_back(schedule::Fuse{id, outer});
    }
    const int n_outer = loops.outer.empty() ? 0 : 1;
    if (n_outer > 0 && roles_[static_cast<std::size_t>(id)].around < 0)
      annotate(id, 0, ir::LoopKind::Parallel);
    const int first = n_outer + static_cast<int>(loops.middle.size());  // of the patch
    const int line = first + static_cast<int>(loops.passing.size());
    straight_line(id, line, line + static_cast<int>(loops.patch.size()));
    for (std::size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i].role == Role::InPatch && roles_[i].target == id)
        inside(static_cast<int>(i), id, first - 1);
    }
  }

 private:
  // The iterators of an op after its splits.
  struct Loops {
    std::vector<int> outer, middle, passing, patch;
    int lanes;
  };

  const task::Op& op(int id) const { return task_.ops[static_cast<std::size_t>(id)]; }

  Loops cut(int id, const PatchTiling& t) {
    const task::Op& here = op(id);
    const std::vector<std::int64_t>& pieces = roles_[static_cast<std::size_t>(id)].pieces;
    const bool is_product = !here.hints.simplify_const_tensor_indices.empty();
    Loops loops{};
    int next = 0;
    for (std::size_t a = 0; a + 1 < here.axes.size(); ++a) {
      if (is_patch_axis(here, here.axes[a])) {
        (is_product && !is_multiplied(here, here.axes[a]) ? loops.passing : loops.patch)
            .push_back(next++);
        continue;
      }
      if (pieces[a] > 1 && pieces[a] == here.axes[a].extent) {
        loops.patch.push_back(next++);
        continue;
      }
      loops.outer.push_back(next++);
      if (pieces[a] == 1) continue;
      split(id, next - 1, here.axes[a].extent, {pieces[a]});
      (is_product ? loops.middle : loops.patch).push_back(next++);
    }
    const std::int64_t extent = here.axes.back().extent;
    if (roles_[static_cast<std::size_t>(id)].shared.empty()) {
      split(id, next, extent, {t.lanes});
    } else {  // blocks of columns take the place of patches as what runs in parallel
      split(id, next, extent, {t.blocks, t.columns, t.lanes});
      loops.middle.insert(loops.middle.begin(), loops.outer.begin(), loops.outer.end());
      loops.outer = {next++};
      loops.middle.insert(loops.middle.begin(), next++);
    }
    loops.middle.push_back(next++);
    loops.lanes = next++;
    for (std::size_t r = 0; r < here.reduce_axes.size(); ++r) loops.patch.push_back(next++);
    return loops;
  }

  // The axes of the patch that only pass through go outside: a line of the patch is then multiplied as
  // a whole before the next one is loaded.
  void inside(int id, int target, int target_iter) {
    const task::Op& here = op(id);
    const int n_axes = static_cast<int>(here.axes.size());
    std::vector<int> order, passing, multiplied;
    for (int a = 0; a + 1 < n_axes; ++a) {
      const task::Axis& axis = here.axes[static_cast<std::size_t>(a)];
      std::vector<int>& kind = !is_patch_axis(here, axis)  ? order
                               : is_multiplied(here, axis) ? multiplied
                                                           : passing;
      kind.push_back(a);
    }
    const int first = static_cast<int>(order.size());  // of the patch
    order.insert(order.end(), passing.begin(), passing.end());
    order.insert(order.end(), multiplied.begin(), multiplied.end());
    for (std::size_t r = 0; r < here.reduce_axes.size(); ++r)
      order.push_back(n_axes + static_cast<int>(r));
    const int lanes = static_cast<int>(order.size());
    order.push_back(n_axes - 1);
    steps_.push_back(schedule::Reorder{id, order});
    straight_line(id, first + static_cast<int>(passing.size()), lanes);
    steps_.push_back(schedule::ComputeAt{id, target, target_iter});
  }

  // Whether the axis indexes a constant matrix.
  bool is_multiplied(const task::Op& here, const task::Axis& axis) const {
    bool found = false;
    ir::visit(here.body.front(), [&](const ir::Expr& e) {
      const auto* load = e.as<ir::Load>();
      const int producer = load ? task_.producer(load->buffer) : -1;
      if (producer < 0 || !op(producer).hints.const_matrix) return;
      for (const ir::Expr& index : load->index) found |= ir::uses(index, axis.var);
    });
    return found;
  }

  // Unrolls the loops [first, lanes) and computes the last one in vectors.
  void straight_line(int id, int first, int lanes) {
    for (int i = first; i < lanes; ++i) annotate(id, i, ir::LoopKind::Unrolled);
    annotate(id, lanes, ir::LoopKind::Vectorized);
  }

  void annotate(int id, int iter, ir::LoopKind kind) {
    steps_.push_back(schedule::Annotate{id, iter, kind});
  }
  void split(int id, int iter, std::int64_t extent, std::initializer_list<std::int64_t> lengths) {
    steps_.push_back(schedule::Split{id, iter, extent, {lengths.begin(), lengths.end()}, true});
  }

  const task::Task& task_;
  const std::vector<StageRole>& roles_;
  schedule::Steps& steps_;
};

}  // namespace

void write_patch_steps(const task::Task& task, const std::vector<StageRole>& roles, int id,
                       const PatchTiling& tiling, schedule::Steps& steps) {
  PatchWriter(task, roles, steps).patches(id, tiling);
}

}  // namespace hone::space
