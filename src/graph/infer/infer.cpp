#include "graph/infer.h"

#include <algorithm>

#include "base/match.h"
#include "graph/blocks.h"
#include "graph/infer/rules.h"
#include "graph/layout.h"

namespace hone::graph {

void require_sane(const ValueType& type) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : type.shape) {
    if (extent < 0) refuse("a shape has no negative extent: {}", print(type));
    if (extent > kMaxElements || elements > kMaxElements / std::max<std::int64_t>(extent, 1))
      throw UserError(fmt::format("{} has more than 2^40 elements", print(type)),
                      "a shape is wrong: see those of the inputs, in the file and in --shape");
    elements *= extent;
  }
}

namespace {

// What is said about channels first holds for channels last with the dimensions reordered.
Types infer_relaid(const Relaid& relaid, Inputs inputs) {
  require_inputs(inputs, relaid.inputs.size());
  Types reordered(inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    require_count(relaid.inputs[i].size(), inputs[i].shape.size(), "the window");
    reordered[i].shape = permuted(inputs[i].shape, relaid.inputs[i]);
  }
  Types types = hone::match(relaid.op, [&](const auto& kind) { return infer_types(kind, reordered); });
  types.front().shape = permuted(types.front().shape, relaid.output);
  return types;
}

Types infer_rules(const Operator& op, Inputs inputs) {
  if (const auto relaid = in_layout(op, Layout::ChannelsFirst)) return infer_relaid(*relaid, inputs);
  return hone::match(op, [&](const auto& kind) { return infer_types(kind, inputs); });
}

// And for blocks that are put together.
Types infer_blocked(const Operator& op, Inputs inputs) {
  require_inputs(inputs, std::holds_alternative<Conv>(op) ? 2 : 1);
  std::vector<Shape> shapes;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    shapes.push_back(inputs[i].shape);
    const std::size_t fewest = i == 0 ? 4 : 5;
    if (shapes[i].size() < fewest) refuse("{} has too few dimensions for blocks", print(shapes[i]));
    if (std::ranges::count(shapes[i], 0) > 0) refuse("{} has empty blocks", print(shapes[i]));
  }
  const Unblocked last = unblocked(op, shapes);
  Types joined(inputs.begin(), inputs.end());
  for (std::size_t i = 0; i < inputs.size(); ++i) joined[i].shape = last.inputs[i].joined;
  Types types = infer_rules(last.op, joined);
  const ToBlocks to =
      image_to_blocks(types.front().shape, identity_order(types.front().shape.size()), last.block);
  types.front().shape = permuted(to.split, to.order);
  return types;
}

}  // namespace

std::vector<ValueType> infer(const Operator& op, std::span<const ValueType> inputs) {
  try {
    Types types = is_blocked(op) ? infer_blocked(op, inputs) : infer_rules(op, inputs);
    for (const ValueType& type : types) require_sane(type);
    return types;
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", name_of(op), error.what()), error.hint());
  }
}

Shape broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape shape = longer;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    std::int64_t& extent = shape[longer.size() - shorter.size() + i];
    if (extent == 1) {
      extent = shorter[i];
    } else if (shorter[i] != 1 && shorter[i] != extent) {
      refuse("shapes {} and {} do not broadcast", print(a), print(b));
    }
  }
  return shape;
}

void require_inputs(Inputs inputs, std::size_t count) {
  if (inputs.size() != count) refuse("takes {} inputs, not {}", count, inputs.size());
}

void require_same_type(Inputs inputs) {
  for (const ValueType& input : inputs) {
    if (input.type != inputs.front().type)
      refuse("inputs differ in type: {} and {}", print(inputs.front()), print(input));
  }
}

void require_number(const ValueType& type) {
  if (type.type == ir::Scalar::Bool) refuse("takes numbers, not {}", print(type));
}

void require_axis(int axis, const Shape& shape) {
  if (axis < 0 || static_cast<std::size_t>(axis) >= shape.size())
    refuse("axis {} is not one of shape {}", axis, print(shape));
}

void require_count(std::size_t entries, std::size_t count, std::string_view attribute) {
  if (entries != count) refuse("{} has {} entries for {} dimensions", attribute, entries, count);
}

}  // namespace hone::graph
