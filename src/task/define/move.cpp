// Elements that only change their place: index arithmetic, which whoever reads them takes in.
#include <algorithm>

#include "base/error.h"
#include "ir/simplify.h"
#include "task/define/define.h"
#include "task/ops/image.h"

namespace hone::task::define {
namespace {

// out[axes] = in[from(axes)], element by element.
template <class From>
void move(Scope& scope, const graph::Node& node, const std::string& name, const From& from) {
  const Axes axes = scope.axes(scope.shape(node.outputs.front()));
  const Index index = from(ops::index_of(axes));
  scope.compute(node.outputs.front(), name, axes, scope.load(node.inputs.front(), index));
}

// Digits of the same number in two mixed radices: dimensions [in, in_end) hold the elements that
// [out, out_end) hold.
struct Block {
  std::size_t in, in_end, out, out_end;
};

// As small blocks as there are, so that a dimension that stays as it is needs no arithmetic.
std::vector<Block> blocks_of(const Shape& in, const Shape& out) {
  std::vector<Block> blocks;
  Block block{0, 0, 0, 0};
  while (block.in < in.size() || block.out < out.size()) {
    std::int64_t have = block.in < in.size() ? in[block.in_end++] : 1;
    std::int64_t want = block.out < out.size() ? out[block.out_end++] : 1;
    while (have != want) {
      if (have < want) {
        have *= in[block.in_end++];
      } else {
        want *= out[block.out_end++];
      }
    }
    blocks.push_back(block);
    block = {block.in_end, block.in_end, block.out_end, block.out_end};
  }
  return blocks;
}

ir::Expr clamped(const ir::Expr& at, std::int64_t extent) {
  return ir::min(ir::max(at, ir::Expr(0)), ir::Expr(extent - 1));
}

// Where padding takes its elements from when they are not constant.
ir::Expr folded_back(graph::PadMode mode, const ir::Expr& at, std::int64_t extent) {
  if (extent == 1) return 0;
  if (mode == graph::PadMode::Edge) return clamped(at, extent);
  if (mode == graph::PadMode::Wrap) return ir::floor_mod(at, extent);
  const std::int64_t period = 2 * (extent - 1);
  const ir::Expr phase = ir::floor_mod(at, period);
  return ir::min(phase, period - phase);
}

}  // namespace

void define(Scope& scope, const graph::Node& node, const graph::Transpose& transpose) {
  move(scope, node, "transpose", [&](const Index& at) {
    Index from(at.size());
    for (std::size_t d = 0; d < transpose.order.size(); ++d) {
      from[static_cast<std::size_t>(transpose.order[d])] = at[d];
    }
    return from;
  });
}

void define(Scope& scope, const graph::Node& node, const graph::Reshape&) {
  const Shape& in = scope.shape(node.inputs[0]);
  const Shape& out = scope.shape(node.outputs[0]);
  move(scope, node, "reshape", [&](const Index& at) {
    Index from(in.size(), ir::Expr(0));
    for (const Block& block : blocks_of(in, out)) {
      ir::Expr number = 0;
      ir::Ranges ranges;
      for (std::size_t d = block.out; d < block.out_end; ++d) {
        number = number * out[d] + at[d];
        ranges[at[d].get()] = {0, out[d] - 1};
      }
      for (std::size_t d = block.in_end; d-- > block.in;) {
        from[d] = ir::simplify(d == block.in ? number : ir::floor_mod(number, in[d]), ranges);
        number = ir::floor_div(number, in[d]);
      }
    }
    return from;
  });
}

void define(Scope& scope, const graph::Node& node, const graph::Expand&) {
  const Axes axes = scope.axes(scope.shape(node.outputs[0]));
  const ValueId in = node.inputs[0];
  const Shape& own = scope.shape(in);
  const std::size_t first = scope.shape(node.outputs[0]).size() - own.size();
  Index index;
  for (std::size_t d = 0; d < own.size(); ++d) {
    index.push_back(own[d] == axes[first + d].extent ? axes[first + d].var : ir::Expr(0));
  }
  scope.compute(node.outputs[0], "expand", axes, scope.load(in, index));
}

void define(Scope& scope, const graph::Node& node, const graph::Slice& slice) {
  move(scope, node, "slice", [&](const Index& at) {
    Index from;
    for (std::size_t d = 0; d < slice.starts.size(); ++d) {
      from.push_back(ops::plus(ops::times(at[d], slice.steps[d]), slice.starts[d]));
    }
    return from;
  });
}

void define(Scope& scope, const graph::Node& node, const graph::Pad& pad) {
  const ValueId in = node.inputs[0], out = node.outputs[0];
  const Shape& own = scope.shape(in);
  const Axes axes = scope.axes(scope.shape(out));
  Index from;
  std::vector<ir::Expr> inside;
  for (std::size_t d = 0; d < own.size(); ++d) {
    const ir::Expr at = ops::plus(axes[d].var, -pad.before[d]);
    const bool is_padded = pad.before[d] > 0 || pad.after[d] > 0;
    const bool is_constant = pad.mode == graph::PadMode::Constant;
    from.push_back(is_padded && !is_constant ? folded_back(pad.mode, at, own[d]) : at);
    if (!is_padded || !is_constant) continue;
    inside.push_back(axes[d].var >= pad.before[d]);
    inside.push_back(axes[d].var < pad.before[d] + own[d]);
  }
  const ir::Expr element = scope.load(in, from);
  if (inside.empty()) return scope.compute(out, "pad", axes, element);
  const ir::Expr value = ir::cast(element.type(), pad.value);
  scope.compute(out, "pad", axes, ir::select(ops::all_of(inside), element, value, true));
}

void define(Scope& scope, const graph::Node& node, const graph::Concat& concat) {
  const auto along = static_cast<std::size_t>(concat.axis);
  const Axes axes = scope.axes(scope.shape(node.outputs[0]));
  Index index = ops::index_of(axes);
  std::vector<std::pair<std::int64_t, ir::Expr>> parts;  // where each ends, and its element
  std::int64_t begin = 0;
  for (const ValueId input : node.inputs) {
    const std::int64_t extent = scope.shape(input)[along];
    if (extent == 0) continue;
    index[along] = ops::plus(axes[along].var, -begin);
    begin += extent;
    parts.emplace_back(begin, scope.load(input, index));
  }
  ir::Expr value = parts.back().second;
  for (std::size_t i = parts.size() - 1; i-- > 0;) {
    value = ir::select(axes[along].var < parts[i].first, parts[i].second, value, true);
  }
  scope.compute(node.outputs[0], "concat", axes, value);
}

}  // namespace hone::task::define
