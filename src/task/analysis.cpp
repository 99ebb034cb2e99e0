#include "task/analysis.h"

#include <algorithm>
#include <optional>

#include "base/error.h"

namespace hone::task {
namespace {

using Indices = std::vector<ir::Expr>;

// v, v + c, c + v or v - c with an integer literal c.
bool is_shifted(const ir::Expr& index, const ir::Expr& axis) {
  if (index.same(axis)) return true;
  const auto* sum = index.as<ir::Binary>();
  if (!sum) return false;
  const bool axis_first = sum->a.same(axis) && ir::as_int(sum->b);
  if (sum->op == ir::BinaryOp::Sub) return axis_first;
  return sum->op == ir::BinaryOp::Add && (axis_first || (sum->b.same(axis) && ir::as_int(sum->a)));
}

// How one index tuple uses the axes of the op that reads with it.
struct SimpleAccess {
  bool axis_missing, axis_duplicated, same_order;
};
// Empty when some index is neither a literal nor a shifted axis.
std::optional<SimpleAccess> simple_access(const Op& reader, const Indices& indices) {
  std::vector<std::size_t> used;
  for (const ir::Expr& index : indices) {
    if (ir::as_int(index)) continue;
    const auto axis =
        std::ranges::find_if(reader.axes, [&](const Axis& a) { return is_shifted(index, a.var); });
    if (axis == reader.axes.end()) return std::nullopt;
    used.push_back(static_cast<std::size_t>(axis - reader.axes.begin()));
  }
  SimpleAccess access{false, false, std::ranges::is_sorted(used)};
  for (std::size_t axis = 0; axis < reader.axes.size(); ++axis) {
    const auto times = std::ranges::count(used, axis);
    access.axis_missing |= times == 0;
    access.axis_duplicated |= times > 1;
  }
  return access;
}

std::map<int, std::vector<Indices>> reads_by_producer(const Task& task, const Op& op) {
  std::map<int, std::vector<Indices>> found;
  for (const ir::Expr& body : op.body) {
    ir::visit(body, [&](const ir::Expr& e) {
      const auto* load = e.as<ir::Load>();
      if (!load) return;
      const int producer = task.producer(load->buffer);
      check(producer >= 0, "an op reads a buffer that no op of the task makes");
      found[producer].push_back(load->index);
    });
  }
  return found;
}

// Leading dimensions of equal extent that every access walks with the reader's own axis.
int common_outer_of_pair(const Op& reader, const Op& producer, const std::vector<Indices>& accesses) {
  const auto& out = reader.output()->shape;
  const auto& in = producer.output()->shape;
  std::size_t d = 0;
  for (; d < std::min(out.size(), in.size()) && out[d] == in[d]; ++d) {
    const auto walks = [&](const Indices& access) { return is_shifted(access[d], reader.axes[d].var); };
    if (!std::ranges::all_of(accesses, walks)) break;
  }
  return static_cast<int>(d);
}

// Paths lead from producers to consumers; a path is as good as its worst hop, a pair as its worst path.
std::vector<std::vector<int>> common_outer(const Task& task, const Analysis& analysis) {
  const std::size_t n = task.ops.size();
  std::vector<std::vector<int>> common(n, std::vector<int>(n, 0));
  std::vector<std::vector<bool>> reachable(n, std::vector<bool>(n, false));
  for (std::size_t from = 0; from < n; ++from) {
    common[from][from] = static_cast<int>(task.ops[from].output()->shape.size());
    reachable[from][from] = true;
    for (std::size_t to = from + 1; to < n; ++to) {
      for (const auto& [producer, accesses] : analysis.reads[to]) {
        const auto via = static_cast<std::size_t>(producer);
        if (!reachable[from][via]) continue;
        const int hop = common_outer_of_pair(task.ops[to], task.ops[via], accesses);
        const int path = std::min(common[from][via], hop);
        common[from][to] = reachable[from][to] ? std::min(common[from][to], path) : path;
        reachable[from][to] = true;
      }
      common[to][from] = common[from][to];
    }
  }
  return common;
}

// Expensive means exp alone: no other function keeps TVM from inlining.
bool has_branch_or_exp(const Op& op) {
  bool found = false;
  for (const ir::Expr& body : op.body) {
    ir::visit(body, [&](const ir::Expr& e) {
      const auto* call = e.as<ir::Call>();
      found |= e.as<ir::Select>() || (call && call->function == ir::Function::Exp);
    });
  }
  return found;
}

// True when enough producers are read again and again: they lack an axis along which the op walks.
bool needs_tiling(const Op& op, const std::map<int, std::vector<Indices>>& reads) {
  if (!op.hints.simplify_const_tensor_indices.empty()) return false;
  const auto lacks_an_axis = [&](const auto& read) {
    return std::ranges::any_of(op.axes, [&](const Axis& axis) {
      const auto uses_axis = [&](const ir::Expr& index) { return ir::uses(index, axis.var); };
      return axis.extent > 1 && std::ranges::none_of(read.second, [&](const Indices& access) {
               return std::ranges::any_of(access, uses_axis);
             });
    });
  };
  const auto n_lacking = std::ranges::count_if(reads, lacks_an_axis);
  return n_lacking >= 2 || (n_lacking == 1 && !op.reduce_axes.empty());
}

bool is_elementwise_hop(const Op& from, const Op& to, const std::vector<Indices>& accesses) {
  if (from.is_placeholder()) return false;
  const auto& shape = from.output()->shape;
  const auto has_shape = [&](const ir::Buffer& output) { return output->shape == shape; };
  return std::ranges::all_of(from.outputs, has_shape) && std::ranges::all_of(to.outputs, has_shape) &&
         std::ranges::all_of(accesses, [&](const Indices& indices) {
           const auto access = simple_access(to, indices);
           return access && !access->axis_missing && !access->axis_duplicated && access->same_order;
         });
}

}  // namespace

Analysis analyse(const Task& task) {
  const std::size_t n = task.ops.size();
  Analysis facts;
  facts.read_by.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    facts.reads.push_back(reads_by_producer(task, task.ops[i]));
    for (const auto& [producer, accesses] : facts.reads[i]) {
      facts.read_by[static_cast<std::size_t>(producer)].push_back(static_cast<int>(i));
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Op& op = task.ops[i];
    bool simple = true, in_order = true;
    for (const auto& [producer, accesses] : facts.reads[i]) {
      for (const Indices& indices : accesses) {
        const auto access = simple_access(op, indices);
        simple &= access.has_value();
        in_order &= access && access->same_order && !access->axis_duplicated;
      }
    }
    const bool computed = !op.is_placeholder();
    const bool is_constant = facts.reads[i].empty();
    facts.is_simple_access.push_back(simple);
    facts.is_strictly_inlineable.push_back(computed &&
                                           (is_constant || (in_order && !has_branch_or_exp(op))));
    facts.needs_multi_level_tiling.push_back(computed && needs_tiling(op, facts.reads[i]));
    facts.is_output.push_back(computed && facts.read_by[i].empty());
  }
  facts.common_outer = common_outer(task, facts);
  return facts;
}

bool elementwise_match(const Task& task, const Analysis& analysis, int op, int target) {
  while (op != target) {
    const std::vector<int>& consumers = analysis.read_by[static_cast<std::size_t>(op)];
    if (consumers.size() != 1) return false;
    const auto next = static_cast<std::size_t>(consumers.front());
    const Op& from = task.ops[static_cast<std::size_t>(op)];
    if (!is_elementwise_hop(from, task.ops[next], analysis.reads[next].at(op))) return false;
    op = consumers.front();
  }
  return true;
}

}  // namespace hone::task
