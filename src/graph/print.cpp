#include "graph/print.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/match.h"
#include "graph/algorithms.h"
#include "ir/element.h"
#include "ir/print.h"

namespace hone::graph {
namespace {

std::string_view short_name(ir::Scalar type) {
  constexpr std::array<std::string_view, 13> kNames = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                                       "u32",  "u64", "f16", "bf16", "f32", "f64"};
  return kNames[static_cast<std::size_t>(type)];
}

// "3x3", or "2" when all entries are.
std::string sizes(const std::vector<std::int64_t>& entries) {
  const bool all_same = std::ranges::all_of(entries, [&](auto entry) { return entry == entries[0]; });
  if (all_same && !entries.empty()) return fmt::format("{}", entries[0]);
  return fmt::format("{}", fmt::join(entries, "x"));
}

bool all(const std::vector<std::int64_t>& entries, std::int64_t value) {
  return std::ranges::all_of(entries, [&](auto entry) { return entry == value; });
}

std::string padding(const std::vector<std::int64_t>& before, const std::vector<std::int64_t>& after) {
  if (all(before, 0) && all(after, 0)) return "";
  if (before == after) return fmt::format(" pad {}", sizes(before));
  return fmt::format(" pad {}:{}", sizes(before), sizes(after));
}

std::string text(const Window& window) {
  std::string text = fmt::format(" window {}", fmt::join(window.kernel, "x"));
  if (!all(window.strides, 1)) text += fmt::format(" stride {}", sizes(window.strides));
  if (!all(window.dilations, 1)) text += fmt::format(" dilation {}", sizes(window.dilations));
  text += padding(window.before, window.after);
  constexpr std::array<std::string_view, 3> kLayouts = {"", " channels_last", " blocked"};
  return text.append(kLayouts[static_cast<std::size_t>(window.layout)]);
}

std::string text(Algorithm algorithm) {
  return algorithm == Algorithm::Direct ? "" : fmt::format(" {}", name_of(algorithm));
}

std::string text(std::int64_t groups) { return groups == 1 ? "" : fmt::format(" groups {}", groups); }

std::string text(const Map& op) { return fmt::format(" {}", ir::print(op.body)); }
std::string text(const Reduce& op) {
  return fmt::format(" {} axes {}", name_of(op.reduction), fmt::join(op.axes, ","));
}
std::string text(const ArgReduce& op) {
  return fmt::format(" {} axis {}{}", op.largest ? "max" : "min", op.axis, op.last_wins ? " last" : "");
}
std::string text(const Conv& op) { return text(op.window) + text(op.groups) + text(op.algorithm); }
std::string text(const ConvTranspose& op) {
  return text(op.window) + text(op.groups) + text(op.algorithm);
}
std::string text(const Pool& op) {
  return fmt::format(" {}{}", name_of(op.reduction), text(op.window));
}
std::string text(const MatMul& op) { return text(op.algorithm); }
// Labels as letters, as people write them.
std::string text(const Einsum& op) {
  const auto term = [](const std::vector<int>& labels) {
    std::string letters;
    for (const int label : labels) {
      letters += label >= 0 && label < 26 ? std::string(1, static_cast<char>('a' + label))
                                          : fmt::format("<{}>", label);
    }
    return letters;
  };
  std::vector<std::string> terms;
  for (const std::vector<int>& labels : op.inputs) terms.push_back(term(labels));
  return fmt::format(" {}->{}", fmt::join(terms, ","), term(op.output));
}
std::string text(const Transpose& op) { return fmt::format(" {}", fmt::join(op.order, ",")); }
std::string text(const Reshape&) { return ""; }  // the result's type says it
std::string text(const Expand&) { return ""; }
std::string text(const Slice& op) {
  const std::string steps = all(op.steps, 1) ? "" : fmt::format(" by [{}]", fmt::join(op.steps, ","));
  return fmt::format(" from [{}]{}", fmt::join(op.starts, ","), steps);
}
std::string text(const Pad& op) {
  constexpr std::array<std::string_view, 4> kModes = {"constant", "edge", "reflect", "wrap"};
  const std::string mode = op.mode == PadMode::Constant
                               ? ir::print(op.value)
                               : std::string(kModes[static_cast<std::size_t>(op.mode)]);
  return fmt::format(" {} before [{}] after [{}]", mode, fmt::join(op.before, ","),
                     fmt::join(op.after, ","));
}
std::string text(const Concat& op) { return fmt::format(" axis {}", op.axis); }
std::string text(const Gather& op) { return fmt::format(" axis {}", op.axis); }
std::string text(const GatherElements& op) { return fmt::format(" axis {}", op.axis); }
std::string text(const GatherND& op) {
  return op.batch_dims == 0 ? "" : fmt::format(" batch {}", op.batch_dims);
}
std::string text(const Resize& op) {
  constexpr std::array<std::string_view, 4> kRoundings = {"prefer_floor", "prefer_ceil", "floor",
                                                          "ceil"};
  const std::string mode =
      op.linear ? "linear"
                : fmt::format("nearest {}", kRoundings[static_cast<std::size_t>(op.rounding)]);
  return fmt::format(" {} scales [{}] offsets [{}]", mode, fmt::join(op.scales, ","),
                     fmt::join(op.offsets, ","));
}
std::string text(const CumSum& op) {
  return fmt::format(" axis {}{}{}", op.axis, op.exclusive ? " exclusive" : "",
                     op.reverse ? " reverse" : "");
}
std::string text(const TopK& op) {
  return fmt::format(" {} {} axis {}", op.largest ? "largest" : "smallest", op.k, op.axis);
}
std::string text(const Loop& op) {
  return fmt::format(" trips {} carried {} scanned {}{}", op.trips, op.carried, op.scanned,
                     op.reverse ? " reverse" : "");
}

// " 1, 2, 3" of a constant that is small enough to be read.
std::string contents(const Tensor& tensor) {
  constexpr std::int64_t kMostShown = 8;
  if (tensor.size() > kMostShown) return "";
  std::string text;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const ir::Number number =
        ir::read_number(tensor.type(), tensor.bytes().data() + i * ir::size_bytes(tensor.type()));
    text += i == 0 ? " " : ", ";
    text += ir::is_float(tensor.type())        ? fmt::format("{:g}", number.f)
            : tensor.type() == ir::Scalar::U64 ? fmt::format("{}", static_cast<std::uint64_t>(number.i))
                                               : fmt::format("{}", number.i);
  }
  return text;
}

void print_into(std::string& out, const Graph& graph, int indent) {
  const auto line = [&](const std::string& content) {
    out += fmt::format("{:{}}{}\n", "", indent, content);
  };
  const auto value = [&](ValueId id) -> const Value& {
    return graph.values[static_cast<std::size_t>(id)];
  };
  const auto definition = [&](ValueId id) { return fmt::format("%{} {}", id, print(value(id).type)); };
  const auto ids = [](const std::vector<ValueId>& list) {
    std::vector<std::string> texts;
    for (const ValueId id : list) texts.push_back(fmt::format("%{}", id));
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  for (const ValueId id : graph.inputs)
    line(fmt::format("{} = input  # {}", definition(id), value(id).name));
  for (std::size_t i = 0; i < graph.values.size(); ++i) {
    const Value& known = graph.values[i];
    if (!known.constant) continue;
    line(fmt::format("{} = constant{}  # {}", definition(static_cast<ValueId>(i)),
                     contents(*known.constant), known.name));
  }
  for (const Node& node : graph.nodes) {
    std::vector<std::string> outputs;
    for (const ValueId id : node.outputs) outputs.push_back(definition(id));
    const std::string attributes = hone::match(node.op, [](const auto& op) { return text(op); });
    line(fmt::format("{} = {} {}{}  # {}", fmt::join(outputs, ", "), name_of(node.op), ids(node.inputs),
                     attributes, node.name));
    if (const auto* loop = std::get_if<Loop>(&node.op)) print_into(out, *loop->body, indent + 2);
  }
  line(fmt::format("output {}", ids(graph.outputs)));
}

}  // namespace

std::string print(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ",")); }

std::string print(const ValueType& type) {
  return fmt::format("{}{}", short_name(type.type), print(type.shape));
}

std::string print(const Operator& op) {
  return fmt::format("{}{}", name_of(op), hone::match(op, [](const auto& kind) { return text(kind); }));
}

std::string print(const Graph& graph) {
  std::string out = fmt::format("graph {}\n", graph.name);
  print_into(out, graph, 2);
  return out;
}

}  // namespace hone::graph
