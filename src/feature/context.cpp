#include "feature/context.h"

#include <algorithm>

#include "feature/columns.h"
#include "feature/smallest_task.h"
#include "task/analysis.h"

namespace hone::feature {
namespace {

using task::Op;
using task::Task;

constexpr std::size_t kSpatial = 6, kReduced = 4, kOperands = 3;  // of the main op, the innermost first

double bytes_of(const ir::BufferNode& buffer) {
  double bytes = ir::size_bytes(buffer.type.scalar);
  for (const std::int64_t extent : buffer.shape) bytes *= static_cast<double>(extent);
  return bytes;
}

double product(const std::vector<task::Axis>& axes) {
  double all = 1;
  for (const task::Axis& axis : axes) all *= static_cast<double>(axis.extent);
  return all;
}

// The last of the extents first: it is the one whose neighbours lie side by side.
std::vector<std::int64_t> from_inside(const std::vector<task::Axis>& axes) {
  std::vector<std::int64_t> extents;
  for (const task::Axis& axis : axes) extents.insert(extents.begin(), axis.extent);
  return extents;
}

void add_totals(Columns& to, const Task& task) {
  double read = 0, written = 0, between = 0, constants = 0;
  const auto outputs = task.outputs();
  for (std::size_t i = 0; i < task.ops.size(); ++i) {
    const Op& op = task.ops[i];
    const double bytes = bytes_of(*op.output());
    const bool is_output = std::ranges::find(outputs, static_cast<int>(i)) != outputs.end();
    (op.is_placeholder() ? read : is_output ? written : between) += bytes;
    for (const std::string& name : op.hints.layout_free) {
      const auto weight = std::ranges::find(task.ops, name, &Op::name);
      if (weight != task.ops.end()) constants += bytes_of(*weight->output());
    }
  }
  const double flops = task::flop_count(task);
  to.amount("flops", flops);
  to.amount("bytes_read", read);
  to.amount("bytes_written", written);
  to.amount("bytes_between", between);
  to.amount("bytes_constant", constants);
  to.amount("flops_per_byte", flops / std::max(1.0, read + written));
}

// What the bodies of all ops do.
struct Contents {
  int reductions = 0, windows = 0, choices = 0, functions = 0, divisions = 0, constant_matrices = 0;
  int maxima = 0;
};

bool is_sum_of_axes(const ir::Expr& index) {
  int variables = 0;
  ir::visit(index, [&](const ir::Expr& e) { variables += e.as<ir::Variable>() != nullptr; });
  return variables > 1;
}

Contents contents_of(const Task& task) {
  Contents all;
  for (const Op& op : task.ops) {
    all.reductions += op.reducer != task::Reducer::None;
    all.maxima += op.reducer == task::Reducer::Max;
    all.constant_matrices += op.hints.const_matrix;
    for (const ir::Expr& body : op.body) {
      ir::visit(body, [&](const ir::Expr& e) {
        all.choices += e.as<ir::Select>() != nullptr;
        all.functions += e.as<ir::Call>() != nullptr;
        const auto* binary = e.as<ir::Binary>();
        all.divisions += binary != nullptr && binary->op == ir::BinaryOp::Div;
        if (const auto* load = e.as<ir::Load>())
          all.windows += std::ranges::any_of(load->index, is_sum_of_axes);
      });
    }
  }
  return all;
}

void add_structure(Columns& to, const Task& task, int main) {
  const Contents contents = contents_of(task);
  const task::Analysis analysis = task::analyse(task);
  to.amount("ops", static_cast<double>(task.ops.size()));
  to.amount("placeholders", static_cast<double>(task.placeholders().size()));
  to.amount("tiled_ops",
            static_cast<double>(std::ranges::count(analysis.needs_multi_level_tiling, true)));
  to.amount("ops_behind_main", static_cast<double>(task.ops.size()) - main - 1);
  to.amount("reductions", contents.reductions);
  to.amount("maxima", contents.maxima);
  to.flag("has_window", contents.windows > 0);
  to.flag("has_constant_matrix", contents.constant_matrices > 0);
  to.amount("choices", contents.choices);
  to.amount("functions", contents.functions);
  to.amount("divisions", contents.divisions);
}

// How an operand lies in memory: which of the main op's axes its last dimension follows.
void add_operand(Columns& to, const Op& op, const ir::Load* load) {
  const auto follows = [&](const std::vector<task::Axis>& axes, std::size_t from_end) {
    if (load == nullptr || load->index.empty() || axes.size() < from_end) return false;
    return ir::uses(load->index.back(), axes[axes.size() - from_end].var);
  };
  double reuse = 1;
  for (const task::Axis& axis : op.axes) {
    const bool is_used =
        load != nullptr && std::ranges::any_of(load->index, [&](const ir::Expr& index) {
          return ir::uses(index, axis.var);
        });
    if (!is_used) reuse *= static_cast<double>(axis.extent);
  }
  to.amount("bytes", load == nullptr ? 0 : bytes_of(*load->buffer));
  to.amount("reuse", load == nullptr ? 0 : reuse);
  to.flag("runs_along_last_axis", follows(op.axes, 1));
  to.flag("runs_along_last_reduction", follows(op.reduce_axes, 1));
}

void add_main(Columns& to, const Op& op) {
  to.flag("main_sums", op.reducer == task::Reducer::Sum);
  to.value("main_rank", static_cast<double>(op.axes.size()));
  to.value("main_reduced_rank", static_cast<double>(op.reduce_axes.size()));
  to.amount("main_elements", product(op.axes));
  to.amount("main_reduction", product(op.reduce_axes));
  to.amount("main_element_bytes", ir::size_bytes(op.output()->type.scalar));
  to.amounts("main_extent", from_inside(op.axes), kSpatial);
  to.amounts("main_reduced", from_inside(op.reduce_axes), kReduced);
  std::vector<ir::Expr> loads;
  for (const ir::Expr& body : op.body) {
    ir::visit(body, [&](const ir::Expr& e) {
      if (e.as<ir::Load>() != nullptr) loads.push_back(e);
    });
  }
  for (std::size_t i = 0; i < kOperands; ++i) {
    const auto group = to.group("operand", static_cast<int>(i));
    add_operand(to, op, i < loads.size() ? loads[i].as<ir::Load>() : nullptr);
  }
}

void add_hardware(Columns& to, const space::Hardware& hardware) {
  to.flag("is_gpu", hardware.kind == space::Hardware::Kind::Gpu);
  to.amount("cores", hardware.cores);
  to.amount("vector_bytes", hardware.vector_bytes);
  to.amount("line_bytes", hardware.cache_line_bytes);
  to.amount("max_shared_bytes", hardware.max_shared_bytes);
  to.amount("max_local_bytes", hardware.max_local_bytes);
  to.amount("max_threads", hardware.max_threads);
  to.amount("max_vthread", hardware.max_vthread);
  to.amount("warp", hardware.warp);
}

void write(Columns& to, const Task& task, const space::Hardware& hardware) {
  const int main = main_op(task);
  add_totals(to, task);
  add_structure(to, task, main);
  add_main(to, task.ops[static_cast<std::size_t>(main)]);
  add_hardware(to, hardware);
}

}  // namespace

int main_op(const task::Task& task) {
  int main = static_cast<int>(task.ops.size()) - 1;
  double most = -1;
  for (std::size_t i = 0; i < task.ops.size(); ++i) {
    const Op& op = task.ops[i];
    if (op.is_placeholder()) continue;
    constexpr double kSumsFirst = 1e30;  // more than any op has iterations
    const double work = product(op.axes) * product(op.reduce_axes) *
                        (op.reducer == task::Reducer::Sum ? kSumsFirst : 1);
    if (work <= most) continue;
    most = work;
    main = static_cast<int>(i);
  }
  return main;
}

const std::vector<std::string>& context_names() {
  static const std::vector<std::string> names =
      column_names([](Columns& to) { write(to, smallest_task(), {}); });
  return names;
}

std::vector<float> context(const task::Task& task, const space::Hardware& hardware) {
  std::vector<float> values;
  Columns columns(values);
  write(columns, task, hardware);
  return values;
}

}  // namespace hone::feature
