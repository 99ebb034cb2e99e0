#include "task/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/error.h"
#include "ir/simplify.h"

namespace hone::task {
namespace {

constexpr std::int64_t kMaxExtent = std::int64_t{1} << 40;

// What an if_then_else around an access says about variables; guards on the same variable add up.
using Guards = std::vector<std::pair<const ir::Node*, ir::Interval>>;

// One index of one read.
struct Access {
  std::size_t reader, producer, dim;
  ir::Expr index;
  Guards guards;
  std::vector<const ir::Node*> variables;  // of the index, each once
};

ir::Interval intersection(ir::Interval a, ir::Interval b) {
  return {std::max(a.min, b.min), std::min(a.max, b.max)};
}

// Adds what holds when the condition does: comparisons of one variable with a literal, joined by `and`.
void add_guards(const ir::Expr& condition, Guards& guards) {
  const auto* n = condition.as<ir::Binary>();
  if (!n) return;
  if (n->op == ir::BinaryOp::And) {
    add_guards(n->a, guards);
    add_guards(n->b, guards);
    return;
  }
  const auto limit = ir::as_int(n->b);
  if (!limit || !n->a.as<ir::Variable>() || *limit > kMaxExtent || *limit < -kMaxExtent) return;
  const ir::Node* variable = n->a.get();
  switch (n->op) {
    case ir::BinaryOp::Lt:
      guards.push_back({variable, {.max = *limit - 1}});
      break;
    case ir::BinaryOp::Le:
      guards.push_back({variable, {.max = *limit}});
      break;
    case ir::BinaryOp::Gt:
      guards.push_back({variable, {.min = *limit + 1}});
      break;
    case ir::BinaryOp::Ge:
      guards.push_back({variable, {.min = *limit}});
      break;
    case ir::BinaryOp::Eq:
      guards.push_back({variable, {.min = *limit, .max = *limit}});
      break;
    default:
      break;
  }
}

// Adds what holds when a single comparison does not: a concatenation reads its second part there.
void add_opposite_guards(const ir::Expr& condition, Guards& guards) {
  const auto* n = condition.as<ir::Binary>();
  if (!n) return;
  switch (n->op) {
    case ir::BinaryOp::Lt:
      return add_guards(n->a >= n->b, guards);
    case ir::BinaryOp::Le:
      return add_guards(n->a > n->b, guards);
    case ir::BinaryOp::Gt:
      return add_guards(n->a <= n->b, guards);
    case ir::BinaryOp::Ge:
      return add_guards(n->a < n->b, guards);
    default:
      return;
  }
}

class Inference {
 public:
  explicit Inference(std::vector<Op>& ops) : ops_(ops) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
      for (const ir::Buffer& output : ops[i].outputs) producers_[output.get()] = i;
      for (Axis& axis : ops[i].axes) extents_[axis.var.get()] = &axis.extent;
      for (Axis& axis : ops[i].reduce_axes) extents_[axis.var.get()] = &axis.extent;
    }
    for (std::size_t i = 0; i < ops.size(); ++i) {
      for (const ir::Expr& body : ops[i].body) collect(i, body, {});
    }
  }

  void run() {
    size_constant_matrices();
    size_averaged_windows();
    while (follow_plain_indices() || follow_readers(true) || follow_longer_indices() ||
           follow_readers(false) || assume_padding()) {
    }
    check_all_known();
    check_accesses();
  }

 private:
  void collect(std::size_t reader, const ir::Expr& e, const Guards& guards) {
    const auto* selection = e.as<ir::Select>();
    if (selection && selection->lazy) {
      Guards inside = guards, otherwise = guards;
      add_guards(selection->condition, inside);
      add_opposite_guards(selection->condition, otherwise);
      collect(reader, selection->condition, guards);
      collect(reader, selection->then_value, inside);
      collect(reader, selection->else_value, otherwise);
      return;
    }
    if (const auto* load = e.as<ir::Load>()) {
      for (std::size_t d = 0; d < load->index.size(); ++d) {
        Access access{reader, producers_.at(load->buffer.get()), d, load->index[d], guards, {}};
        ir::visit(access.index, [&](const ir::Expr& part) {
          if (!part.as<ir::Variable>()) return;
          if (std::ranges::find(access.variables, part.get()) == access.variables.end()) {
            access.variables.push_back(part.get());
          }
        });
        accesses_.push_back(std::move(access));
      }
    }
    ir::map_children(e, [&](const ir::Expr& child) {
      collect(reader, child, guards);
      return child;
    });
  }

  // 0 while unknown.
  std::int64_t extent_of(const ir::Node* variable) const { return *extents_.at(variable); }
  std::int64_t dimension(std::size_t op, std::size_t dim) const {
    return ops_[op].is_placeholder() ? ops_[op].output()->shape[dim] : ops_[op].axes[dim].extent;
  }
  std::int64_t dimension_read(const Access& access) const {
    return dimension(access.producer, access.dim);
  }

  // The values of the index when `variable` has the extent given; other unknown extents are very large.
  ir::Interval reach(const Access& access, const ir::Node* variable = nullptr, std::int64_t extent = 0,
                     std::int64_t unknown = kMaxExtent) const {
    ir::Ranges ranges;
    for (const ir::Node* v : access.variables) {
      const std::int64_t known = v == variable ? extent : extent_of(v);
      ranges[v] = {0, (known > 0 ? known : unknown) - 1};
    }
    for (const auto& [v, limits] : access.guards) {
      const auto range = ranges.find(v);
      if (range != ranges.end()) range->second = intersection(range->second, limits);
    }
    for (const auto& [v, range] : ranges) {
      if (range.min > range.max) return {0, 0};  // never read at all
    }
    // Cut off so that one can be added; that is far past every extent.
    constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 2;
    return intersection(ir::bounds(access.index, ranges), {-kFar, kFar});
  }

  bool is_inside(const Access& access, const ir::Node* variable = nullptr,
                 std::int64_t extent = 0) const {
    const ir::Interval indices = reach(access, variable, extent);
    return indices.min >= 0 && indices.max < dimension_read(access);
  }

  // Variables whose extent is unknown and that no guard keeps from running on.
  std::vector<const ir::Node*> unknowns(const Access& access) const {
    std::vector<const ir::Node*> found;
    for (const ir::Node* v : access.variables) {
      const auto limits_it = [&](const auto& guard) {
        return guard.first == v && guard.second.max < kMaxExtent;
      };
      if (extent_of(v) == 0 && std::ranges::none_of(access.guards, limits_it)) found.push_back(v);
    }
    return found;
  }

  // The size of the window in an average's divisor min(start + (size - 1), last) - start + 1, where
  // start walks with `axis`; 0 when the body divides by no such thing.
  static std::int64_t averaged_window(const Op& average, const ir::Expr& axis) {
    std::int64_t size = 0;
    ir::visit(average.body.front(), [&](const ir::Expr& e) {
      const auto* length = e.as<ir::Binary>();
      if (!length || length->op != ir::BinaryOp::Sub || !ir::uses(length->b, axis)) return;
      const auto* end = length->a.as<ir::Binary>();
      const auto* last = end && end->op == ir::BinaryOp::Min ? end->a.as<ir::Binary>() : nullptr;
      const auto steps = last && last->op == ir::BinaryOp::Add ? ir::as_int(last->b) : std::nullopt;
      if (steps && *steps < kMaxExtent && ir::equal(last->a, length->b)) size = *steps + 1;
    });
    return size;
  }

  // Gives the sum under an average the windows that the average divides by.
  void size_averaged_windows() {
    for (const Access& average : accesses_) {
      const Op& sum = ops_[average.producer];
      if (sum.reducer != Reducer::Sum || !average.index.as<ir::Variable>()) continue;
      const std::int64_t size = averaged_window(ops_[average.reader], average.index);
      if (size <= 0) continue;
      for (const Access& window : accesses_) {
        const auto* index = window.index.as<ir::Binary>();
        if (window.reader != average.producer || !index || index->op != ir::BinaryOp::Add) continue;
        if (!index->b.as<ir::Variable>() || !ir::uses(index->a, sum.axes[average.dim].var)) continue;
        std::int64_t& extent = *extents_.at(index->b.get());
        if (extent == 0) extent = size;
      }
    }
  }

  void size_constant_matrices() {
    for (Op& op : ops_) {
      const auto size = constant_matrix_size(op);
      if (!size) continue;
      if (op.axes[0].extent == 0) op.axes[0].extent = size->rows;
      if (op.axes[1].extent == 0) op.axes[1].extent = size->columns;
    }
  }

  bool follow_plain_indices() {
    bool progress = false;
    for (const Access& access : accesses_) {
      if (!access.index.as<ir::Variable>() || dimension_read(access) == 0) continue;
      std::int64_t& extent = *extents_.at(access.index.get());
      const auto guards_it = [&](const auto& guard) { return guard.first == access.index.get(); };
      if (extent != 0 || std::ranges::any_of(access.guards, guards_it)) continue;
      extent = dimension_read(access);
      progress = true;
    }
    return progress;
  }

  // The least extent of a padded axis: what its guards say about the elements in front and behind.
  std::int64_t padded_extent(std::size_t op, std::size_t dim) const {
    const ir::Node* axis = ops_[op].axes[dim].var.get();
    ir::Interval inside;
    for (const Access& access : accesses_) {
      if (access.reader != op) continue;
      for (const auto& [v, limits] : access.guards) {
        if (v == axis) inside = intersection(inside, limits);
      }
    }
    const ir::Interval anything;
    if (inside.max == anything.max) return 0;
    const std::int64_t in_front =
        inside.min == anything.min ? 1 : std::max<std::int64_t>(inside.min, 0);
    return inside.max + 1 + in_front;
  }

  // Computed dimensions from all who read them. When `certain`, only readers whose extents are all
  // known count; otherwise those that stay within a limit whatever their extents are, like floormod(ic,
  // 16).
  bool follow_readers(bool certain) {
    std::unordered_map<std::int64_t*, std::int64_t> reached;  // 0: some reader is not known well enough
    for (const Access& access : accesses_) {
      if (ops_[access.producer].is_placeholder() || dimension_read(access) != 0) continue;
      const std::int64_t end = reach(access).max + 1;
      const bool is_limited = reach(access, nullptr, 0, kMaxExtent / 2).max + 1 == end;
      const bool is_known = end <= kMaxExtent && (unknowns(access).empty() || (!certain && is_limited));
      std::int64_t& extent = ops_[access.producer].axes[access.dim].extent;
      const auto [entry, is_new] = reached.try_emplace(&extent, is_known ? end : 0);
      if (!is_new) entry->second = is_known && entry->second != 0 ? std::max(entry->second, end) : 0;
    }
    bool progress = false;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      for (std::size_t d = 0; d < ops_[i].axes.size(); ++d) {
        const auto found = reached.find(&ops_[i].axes[d].extent);
        if (found == reached.end() || found->second <= 0) continue;
        ops_[i].axes[d].extent = std::max(found->second, padded_extent(i, d));
        progress = true;
      }
    }
    return progress;
  }

  // The largest extent of the variable with which the index stays inside; 0 when nothing limits it.
  std::int64_t largest_fit(const Access& access, const ir::Node* variable) const {
    if (is_inside(access, variable, kMaxExtent) || !is_inside(access, variable, 1)) return 0;
    std::int64_t fits = 1, fails = kMaxExtent;
    while (fails - fits > 1) {
      const std::int64_t middle = fits + (fails - fits) / 2;
      (is_inside(access, variable, middle) ? fits : fails) = middle;
    }
    return fits;
  }

  // True when the reader steps over several elements at a time, so that its number of steps leaves the
  // size of the window open.
  bool is_strided(const Access& access) const {
    return std::ranges::any_of(ops_[access.reader].axes, [&](const Axis& axis) {
      const bool is_used =
          std::ranges::find(access.variables, axis.var.get()) != access.variables.end();
      return is_used && axis.extent > 0 &&
             reach(access, axis.var.get(), axis.extent + 1).max - reach(access).max > 1;
    });
  }

  bool follow_longer_indices() {
    std::unordered_map<const ir::Node*, std::int64_t> fits;
    for (const Access& access : accesses_) {
      const std::vector<const ir::Node*> unknown = unknowns(access);
      if (dimension_read(access) == 0 || unknown.size() != 1) continue;
      const ir::Node* variable = unknown.front();
      std::int64_t fit = largest_fit(access, variable);
      if (fit == 0) continue;
      const bool is_padded =
          !ops_[access.producer].is_placeholder() && padded_extent(access.producer, access.dim) != 0;
      if (is_padded && fit % 2 == 0 && is_strided(access)) --fit;
      const auto [entry, is_new] = fits.try_emplace(variable, fit);
      if (!is_new) entry->second = std::min(entry->second, fit);
    }
    for (const auto& [variable, fit] : fits) *extents_.at(variable) = fit;
    return !fits.empty();
  }

  bool assume_padding() {
    bool progress = false;
    for (std::size_t i = 0; i < ops_.size(); ++i) {
      for (std::size_t d = 0; d < ops_[i].axes.size(); ++d) {
        const std::int64_t padded = ops_[i].axes[d].extent == 0 ? padded_extent(i, d) : 0;
        if (padded > 0) ops_[i].axes[d].extent = padded;
        progress |= padded > 0;
      }
    }
    return progress;
  }

  void check_all_known() const {
    for (const Op& op : ops_) {
      for (const std::vector<Axis>* axes : {&op.axes, &op.reduce_axes}) {
        for (const Axis& axis : *axes) {
          if (axis.extent > 0) continue;
          throw UserError(fmt::format("the extent of axis {} of {} does not follow from the text",
                                      ir::name_of(axis.var), op.name()),
                          "give the workload key the text came with, or the shapes of its ops");
        }
      }
    }
  }

  void check_accesses() const {
    for (const Access& access : accesses_) {
      if (is_inside(access)) continue;
      const ir::Interval indices = reach(access);
      throw UserError(fmt::format("{} reads dimension {} of {} at {} to {}, but it has {} elements",
                                  ops_[access.reader].name(), access.dim, ops_[access.producer].name(),
                                  indices.min, indices.max, dimension_read(access)));
    }
  }

  std::vector<Op>& ops_;
  std::unordered_map<const ir::BufferNode*, std::size_t> producers_;
  std::unordered_map<const ir::Node*, std::int64_t*> extents_;
  std::vector<Access> accesses_;
};

}  // namespace

void infer_extents(std::vector<Op>& ops) { Inference(ops).run(); }

}  // namespace hone::task
