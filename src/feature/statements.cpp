#include "feature/statements.h"

#include <algorithm>

#include "feature/index.h"
#include "feature/limits.h"
#include "feature/row.h"
#include "feature/stride.h"
#include "feature/touch.h"

namespace hone::feature {
namespace {

class Extractor {
 public:
  Extractor(const LoopTree& tree, int cache_line_bytes)
      : tree_(tree), cache_line_bytes_(cache_line_bytes), row_of_(tree.tensors.size(), -1) {
    number_regions();
  }

  Statements run() {
    for (const Store& store : tree_.stores) add_store(store);
    for (const Allocation& allocation : tree_.allocations) add_allocation(allocation);
    Statements out;
    out.values.resize(rows_.size() * kStatementColumns);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      write(rows_[i], out.values.data() + i * kStatementColumns);
      out.stages.push_back(stages_[i]);
    }
    return out;
  }

 private:
  const Loop& loop(int l) const { return tree_.loops[static_cast<std::size_t>(l)]; }
  const Tensor& tensor(int t) const { return tree_.tensors[static_cast<std::size_t>(t)]; }
  Touched& touched(int l) {
    return touched_[static_cast<std::size_t>(region_[static_cast<std::size_t>(l)])];
  }

  // Each loop remembers what is touched inside it. TVM makes up loops for threads and forgets them
  // afterwards, and the next one it makes up at the same depth finds what the last one remembered.
  void number_regions() {
    int n_regions = 0;
    std::vector<int> thread_regions, thread_depth;
    for (const Loop& each : tree_.loops) {
      const int outside = each.parent < 0 ? 0 : thread_depth[static_cast<std::size_t>(each.parent)];
      const bool is_thread = ir::is_thread_loop(each.kind);
      thread_depth.push_back(outside + is_thread);
      if (!is_thread) {
        region_.push_back(n_regions++);
        continue;
      }
      if (outside == static_cast<int>(thread_regions.size())) thread_regions.push_back(n_regions++);
      region_.push_back(thread_regions[static_cast<std::size_t>(outside)]);
    }
    touched_.resize(static_cast<std::size_t>(n_regions));
    int n_vars = 0;
    for (const Loop& each : tree_.loops) n_vars = std::max(n_vars, each.var + 1);
    depth_of_.assign(static_cast<std::size_t>(n_vars), -1);
  }

  Row& row(int t) {
    int& number = row_of_[static_cast<std::size_t>(t)];
    if (number < 0) {
      number = static_cast<int>(rows_.size());
      rows_.emplace_back();
      stages_.push_back(tensor(t).stage);
    }
    return rows_[static_cast<std::size_t>(number)];
  }

  void add_store(const Store& store) {
    chain_.clear();
    outer_product_ = 1;
    for (int l = store.loop; l >= 0; l = loop(l).parent) {
      chain_.push_back(l);
      outer_product_ *= static_cast<double>(loop(l).extent);
      depth_of_[static_cast<std::size_t>(loop(l).var)] = loop(l).depth;
    }
    Row& to = row(store.tensor);
    count_operations(store.operations, to);
    describe_loops(to);
    touch(store, to);
    describe_uses(store, to);
    to.outer_product = outer_product_;
    to.loops = static_cast<double>(chain_.size());
    to.auto_unroll_max_step = store.auto_unroll_max_step;
    for (const int l : chain_) depth_of_[static_cast<std::size_t>(loop(l).var)] = -1;
  }

  void count_operations(const Operations& operations, Row& to) const {
    const auto add = [&](const Operations::Arithmetic& counts, std::array<double, 7>& sums) {
      const int kinds[] = {0, counts.addsub, counts.mul, counts.divmod, counts.compare, counts.function,
                           0};
      for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += outer_product_ * kinds[i];
    };
    add(operations.floats, to.floats);
    add(operations.ints, to.ints);
    to.logical += outer_product_ * operations.logical;
    to.select += outer_product_ * operations.select;
  }

  void describe_loops(Row& to) {
    to.vectorized = to.unrolled = to.parallel = {};
    to.threads.fill(1);
    const auto extend = [](LoopGroup& group, double extent) {
      if (group.count++ == 0) group = {1, 1, extent};
      group.product *= extent;
    };
    std::array<bool, 7> seen{};
    for (const int l : chain_) {
      const auto extent = static_cast<double>(loop(l).extent);
      const ir::LoopKind kind = loop(l).kind;
      if (kind == ir::LoopKind::Vectorized) extend(to.vectorized, extent);
      if (kind == ir::LoopKind::Unrolled) extend(to.unrolled, extent);
      if (kind == ir::LoopKind::Parallel) extend(to.parallel, extent);
      if (!ir::is_thread_loop(kind)) continue;
      is_gpu_ = true;
      if (kind == ir::LoopKind::Vthread) {
        to.threads[6] *= extent;
        continue;
      }
      // BlockX, ThreadX, BlockY, ThreadY, ...: blocks come first in the columns. The innermost counts.
      const auto number =
          static_cast<std::size_t>(kind) - static_cast<std::size_t>(ir::LoopKind::BlockX);
      const std::size_t column = number % 2 * 3 + number / 2;
      if (!seen[column]) to.threads[column] = extent;
      seen[column] = true;
    }
    to.is_gpu = is_gpu_;
  }

  // Enters what the store touches into every loop around it, and draws the curve of arithmetic
  // intensity: operations an iteration of each loop takes, over the bytes that it touches.
  void touch(const Store& store, Row& to) {
    struct Point {
      double operations, intensity;
    };
    std::vector<Point> points;
    double operations = store.operations.float_total();
    for (const int l : chain_) {
      double bytes = 0;
      for (std::size_t a = store.accesses.size(); a-- > 0;) {
        const Access& access = store.accesses[a];
        touched_box(tree_.vars, access, depth_of_, loop(l).depth, box_);
        std::int64_t elements = 1;
        for (const std::int64_t extent : box_) elements *= extent;
        touched(l).add(access.tensor, elements, tensor(access.tensor).element_bytes);
        bytes += static_cast<double>(elements) * tensor(access.tensor).element_bytes;
      }
      operations *= static_cast<double>(loop(l).extent);
      points.push_back({operations, operations / bytes});
    }
    to.curve.fill(0);
    if (operations <= 0) return;
    std::size_t at = 0;
    for (std::size_t i = 0; i < to.curve.size() && !points.empty(); ++i) {
      const double wanted = operations * static_cast<double>(i + 1) / kCurvePoints;
      while (at + 1 < points.size() && points[at].operations < wanted) ++at;
      to.curve[i] = points[at].intensity;
      if (at == 0) continue;
      const Point &before = points[at - 1], &after = points[at];
      to.curve[i] = before.intensity + (after.intensity - before.intensity) /
                                           (after.operations - before.operations) *
                                           (wanted - before.operations);
    }
  }

  void describe_uses(const Store& store, Row& to) {
    to.uses.clear();
    const auto is_before = [](const TensorUse& a, const TensorUse& b) {
      return std::pair(a.lines, a.bytes) > std::pair(b.lines, b.bytes);
    };
    // TVM's map of accesses yields them last to first, which decides between equal ones.
    for (auto access = store.accesses.rbegin(); access != store.accesses.rend(); ++access) {
      const TensorUse use = use_of(*access);
      to.uses.insert(std::upper_bound(to.uses.begin(), to.uses.end(), use, is_before), use);
    }
  }

  TensorUse use_of(const Access& access) {
    const Tensor& used = tensor(access.tensor);
    const double element = used.element_bytes;
    TensorUse use{access.kind, outer_product_ * element, element, 1, 1, Reuse::None, 0, 0, 0, 0};
    if (chain_.empty()) return use;
    use.unique_bytes = static_cast<double>(touched(chain_.back()).of(access.tensor).first) * element;
    double skipped = 1, step = 0;
    for (const int l : chain_) {
      step = static_cast<double>(stride(tree_.vars, access, *used.shape, loop(l).var));
      if (step != 0) {
        if (l == chain_.front()) use.stride = step;
        break;
      }
      skipped *= static_cast<double>(loop(chain_.front()).extent);
    }
    const double line = cache_line_bytes_;
    use.lines = std::max(1.0, outer_product_ / skipped * std::min(1.0, step * element / line));
    use.unique_lines = std::max(1.0, use.unique_bytes / std::min(contiguous_bytes(used), line));
    find_reuse(access, use);
    return use;
  }

  // The box is that of the tensor which is written, whichever tensor this is asked for.
  double contiguous_bytes(const Tensor& used) const {
    const std::size_t rank = std::min(box_.size(), used.shape->size());
    for (std::size_t d = rank; d-- > 0;) {
      if (box_[d] == (*used.shape)[d]) return static_cast<double>(used.element_bytes * box_[d]);
    }
    return used.element_bytes;
  }

  void find_reuse(const Access& access, TensorUse& use) {
    double iterations = 1, bytes = -1;
    for (const int l : chain_) {
      const auto extent = static_cast<double>(loop(l).extent);
      const Touched& inside = touched(l);
      if (!mentions(tree_.vars, access, loop(l).var)) {
        use.reuse = Reuse::Loop;
        use.reuse_distance_iterations = iterations;
        use.reuse_distance_bytes = bytes < 0 ? inside.element_bytes : bytes;
        use.reuse_count = extent;
        return;
      }
      iterations *= extent;
      bytes = inside.bytes;
      const Touched::Entry& own = inside.of(access.tensor);
      if (own.count < 2) continue;
      use.reuse = Reuse::Serial;
      use.reuse_distance_iterations = static_cast<double>(own.least) / extent;
      use.reuse_distance_bytes = bytes / extent;
      use.reuse_count = own.count - 1;
      return;
    }
  }

  void add_allocation(const Allocation& allocation) {
    double outside = 1;
    for (int l = allocation.loop; l >= 0; l = loop(l).parent) {
      outside *= static_cast<double>(loop(l).extent);
    }
    Row& to = row(allocation.tensor);
    const auto elements = static_cast<double>(allocation.elements);
    to.allocated_bytes = elements * tensor(allocation.tensor).element_bytes;
    to.allocated_elements = elements * outside;
    to.allocated_outside = outside;
    to.allocated_inside = to.outer_product / outside;
  }

  const LoopTree& tree_;
  const int cache_line_bytes_;
  std::vector<int> row_of_;  // by tensor
  std::vector<Row> rows_;
  std::vector<int> stages_;  // of the rows
  std::vector<int> region_;  // by loop
  std::vector<Touched> touched_;
  bool is_gpu_ = false;  // a loop over threads has been met

  // Of the store that is being looked at.
  std::vector<int> chain_;     // loops around it, innermost first
  std::vector<int> depth_of_;  // by variable, -1 for loops that are not around it
  std::vector<std::int64_t> box_;
  double outer_product_ = 1;
};

}  // namespace

Statements statements(const LoopTree& tree, int cache_line_bytes) {
  return Extractor(tree, cache_line_bytes).run();
}

Statements statements(const schedule::State& state, const space::Hardware& hardware) {
  const LoopTree tree = loop_tree(state);
  return exceeded(tree, hardware) ? Statements{} : statements(tree, hardware.cache_line_bytes);
}

}  // namespace hone::feature
