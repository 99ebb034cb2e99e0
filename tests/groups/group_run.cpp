#include "tests/groups/group_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "codegen/compile.h"
#include "graph/evaluate.h"
#include "graph/print.h"
#include "ir/element.h"
#include "ir/interpret.h"
#include "ir/verify.h"
#include "lower/nest.h"
#include "model/compare.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/pool.h"
#include "schedule/step_json.h"
#include "space/tiling.h"
#include "task/evaluate.h"
#include "task/from_graph.h"
#include "task/text.h"
#include "tests/property/trial.h"
#include "worker/inputs.h"

namespace hone::groups {
namespace {

using graph::Graph;
using graph::Tensor;
using graph::ValueId;
using model::element;

constexpr int kThreads = 2;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double tolerance(ir::Scalar scalar) {
  switch (scalar) {
    case ir::Scalar::F16:
      return 4e-3;
    case ir::Scalar::BF16:
      return 3e-2;
    case ir::Scalar::F32:
      return 2e-5;
    case ir::Scalar::F64:
      return 1e-10;
    default:
      return 0;
  }
}

// The first element that differs by more than rounding, relative to the largest one.
template <class Got>
std::string difference(const Tensor& want, double slack, const Got& got) {
  double largest = 1;
  for (std::int64_t i = 0; i < want.size(); ++i) {
    const double size = std::abs(element(want, i));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  for (std::int64_t i = 0; i < want.size(); ++i) {
    const double expected = element(want, i), actual = got(i);
    if (expected == actual || (std::isnan(expected) && std::isnan(actual))) continue;
    if (std::abs(expected - actual) <= slack * tolerance(want.type()) * largest) continue;
    return fmt::format("element {} is {}, not {}", i, actual, expected);
  }
  return "";
}

class GroupRun {
 public:
  GroupRun(const Graph& graph, const graph::Group& group, const std::vector<Tensor>& values,
           const target::Target& target, double slack)
      : made_(task::from_graph(graph, group)),
        task_(std::make_shared<const task::Task>(made_.task)),
        target_(target),
        slack_(slack),
        want_(values[at(made_.outputs.front())]) {
    for (std::size_t i = 0; i < made_.inputs.size(); ++i) {
      const bool is_prepared = made_.preparations.contains(made_.inputs[i]);
      inputs_.push_back(is_prepared ? task::prepared_constant(graph, made_, i)
                                    : values[at(made_.inputs[i])]);
    }
    const auto roles = space::structure(*task_, task::analyse(*task_));
    steps_ = space::steps_for(*task_, roles, space::analytic_choice(*task_, roles, target, kThreads));
  }

  std::string fault() {
    const std::string text = fmt::format("{}{}\n", task::print(*task_), schedule::to_json(steps_));
    std::string found;
    try {
      const property::CrashNotice notice("crashed at\n" + text);
      found = compiled_fault();
    } catch (const std::exception& error) {
      found = error.what();
    }
    return found.empty() ? "" : fmt::format("{}\n{}{}", found, text, culprit());
  }

 private:
  std::string compiled_fault() {
    const codegen::Kernel kernel = codegen::compile(task_, steps_, target_);
    std::vector<runtime::GuardedBuffer> buffers;
    std::vector<void*> pointers;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
      const codegen::Parameter& parameter = kernel.parameters[i];
      buffers.emplace_back(static_cast<std::size_t>(parameter.size_bytes));
      if (i < inputs_.size()) fill(buffers.back(), parameter, inputs_[i]);
      pointers.push_back(buffers.back().data());
    }
    runtime::Pool pool({.threads = kThreads});
    const hone_table table = pool.table();
    const std::int64_t scratch_bytes =
        kernel.scratch_bytes + pool.threads() * kernel.thread_scratch_bytes;
    const runtime::GuardedBuffer scratch(
        static_cast<std::size_t>(std::max<std::int64_t>(scratch_bytes, 1)));
    const hone_call call{pointers.data(), scratch.data(), &table};
    const runtime::Image image(kernel.image);
    image.entry(kernel.entry)(&call);
    for (const runtime::GuardedBuffer& buffer : buffers) {
      if (buffer.damage() != runtime::Damage::None) return "writes out of bounds";
    }
    const auto size = static_cast<std::size_t>(ir::size_bytes(want_.type()));
    if (buffers.back().size_bytes() != want_.bytes().size()) return "the result has another size";
    return difference(want_, slack_, [&](std::int64_t i) {
      const ir::Number number =
          ir::read_number(want_.type(), buffers.back().data() + static_cast<std::size_t>(i) * size);
      return ir::is_float(want_.type()) ? number.f : static_cast<double>(number.i);
    });
  }

  static void fill(const runtime::GuardedBuffer& buffer, const codegen::Parameter& parameter,
                   const Tensor& tensor) {
    if (!parameter.packed) {
      std::memcpy(buffer.data(), tensor.bytes().data(), tensor.bytes().size());
      return;
    }
    const std::vector<std::byte> packed =
        schedule::pack(*parameter.packed, parameter.original_shape, tensor.bytes(),
                       static_cast<std::size_t>(ir::size_bytes(tensor.type())));
    std::memcpy(buffer.data(), packed.data(), packed.size());
  }

  // Which form of the computation is the first to be wrong.
  std::string culprit() {
    try {
      if (const std::string fault = definition_fault(); !fault.empty()) return "the task: " + fault;
      ir::Program program = codegen::plain_nest(task_, {}, {.pack_constants = false});
      if (const std::string fault = program_fault(program); !fault.empty()) {
        return "the task without a schedule: " + fault;
      }
      program = codegen::plain_nest(task_, steps_, {.pack_constants = false});
      if (const std::string fault = program_fault(program); !fault.empty()) return "the nest: " + fault;
      for (const lower::Pass& pass : lower::passes()) {
        program = pass.run(program, target_);
        if (const std::string fault = program_fault(program); !fault.empty()) {
          return fmt::format("pass {}: {}", pass.name, fault);
        }
      }
    } catch (const std::exception& error) {
      return error.what();
    }
    return "no pass: code generation";
  }

  std::string definition_fault() const {
    std::vector<std::vector<double>> inputs;
    for (const Tensor& tensor : inputs_) {
      inputs.emplace_back();
      for (std::int64_t i = 0; i < tensor.size(); ++i) inputs.back().push_back(element(tensor, i));
    }
    const std::vector<std::vector<double>> results = task::evaluate(*task_, inputs);
    return difference(want_, slack_,
                      [&](std::int64_t i) { return results.front()[static_cast<std::size_t>(i)]; });
  }

  std::string program_fault(const ir::Program& program) const {
    for (const std::string& fault : ir::verify(program)) return fault;
    std::vector<ir::Tensor> tensors;
    for (std::size_t i = 0; i < program.params.size(); ++i) {
      tensors.push_back(ir::make_tensor(program.params[i]));
      if (i < inputs_.size()) {
        std::memcpy(tensors[i].data.data(), inputs_[i].bytes().data(), inputs_[i].bytes().size());
      }
    }
    ir::interpret(program, tensors);
    return difference(want_, slack_, [&](std::int64_t i) { return ir::get(tensors.back(), i); });
  }

  task::GraphTask made_;
  std::shared_ptr<const task::Task> task_;
  const target::Target& target_;
  double slack_;
  const Tensor& want_;
  std::vector<Tensor> inputs_;
  schedule::Steps steps_;
};

// Every value of the graph, by the definition of its operators.
std::vector<Tensor> all_values(const Graph& graph, const std::vector<Tensor>& inputs) {
  std::vector<Tensor> values(graph.values.size());
  for (std::size_t v = 0; v < values.size(); ++v) {
    if (graph.values[v].constant) values[v] = *graph.values[v].constant;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) values[at(graph.inputs[i])] = inputs[i];
  for (const graph::Node& node : graph.nodes) {
    std::vector<Tensor> operands;
    for (const ValueId value : node.inputs) operands.push_back(values[at(value)]);
    std::vector<Tensor> results = graph::evaluate(node.op, operands);
    for (std::size_t o = 0; o < results.size(); ++o) values[at(node.outputs[o])] = results[o];
  }
  return values;
}

// Whether the groups hold each node that computes once, after those that it needs.
std::string order_fault(const Graph& graph, const std::vector<graph::Group>& groups) {
  std::vector<bool> is_there(graph.values.size(), true);
  for (const graph::Node& node : graph.nodes) {
    for (const ValueId value : node.outputs) is_there[at(value)] = false;
  }
  const auto take = [&](const graph::Node& node) {
    for (const ValueId value : node.inputs) {
      if (!is_there[at(value)]) return fmt::format("{} runs too early", node.name);
    }
    for (const ValueId value : node.outputs) {
      if (is_there[at(value)]) return fmt::format("{} runs twice", node.name);
      is_there[at(value)] = true;
    }
    return std::string();
  };
  const auto take_views = [&] {
    for (const graph::Node& node : graph.nodes) {
      const bool is_ready =
          std::ranges::all_of(node.inputs, [&](ValueId v) { return is_there[at(v)]; });
      const bool is_empty = model::elements(graph.values[at(node.outputs[0])].type.shape) == 0;
      if (!is_there[at(node.outputs[0])] && is_ready &&
          (std::holds_alternative<graph::Reshape>(node.op) || is_empty)) {
        take(node);
      }
    }
  };
  for (const graph::Group& group : groups) {
    take_views();
    for (const int n : group.nodes) {
      if (std::string fault = take(graph.nodes[at(n)]); !fault.empty()) return fault;
    }
  }
  take_views();
  const auto missing = std::ranges::find(is_there, false);
  return missing == is_there.end()
             ? ""
             : fmt::format("nobody makes {}", graph.values[at(missing - is_there.begin())].name);
}

}  // namespace

graph::Tensor random_tensor(const graph::ValueType& type, std::uint64_t seed, int number) {
  Tensor tensor = Tensor::zeros(type.type, type.shape);
  worker::fill_random(tensor.writable().data(), tensor.size(), seed, number, type.type);
  return tensor;
}

std::vector<Tensor> random_inputs(const Graph& graph, std::uint64_t seed) {
  std::vector<Tensor> inputs;
  for (const ValueId value : graph.inputs) {
    inputs.push_back(
        random_tensor(graph.values[at(value)].type, seed, static_cast<int>(inputs.size())));
  }
  return inputs;
}

Outcome run_groups(const Graph& graph, const std::vector<Tensor>& inputs, const target::Target& target,
                   double slack) {
  const std::vector<Tensor> values = all_values(graph, inputs);
  const std::vector<graph::Group> groups = graph::fuse(graph);
  Outcome outcome;
  outcome.fault = order_fault(graph, groups);
  for (const graph::Group& group : groups) {
    if (!outcome.fault.empty()) break;
    const graph::Operator& first = graph.nodes[at(group.nodes.front())].op;
    if (std::holds_alternative<graph::TopK>(first) || std::holds_alternative<graph::Loop>(first))
      continue;
    outcome.fault = GroupRun(graph, group, values, target, slack).fault();
    ++outcome.kernels;
  }
  if (!outcome.fault.empty()) outcome.fault += "\n" + graph::print(graph);
  return outcome;
}

}  // namespace hone::groups
