// The same elements under other shapes and in other orders.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "graph/infer.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

// 0 stands for the input's extent (unless `allow_zero`), -1 for what is left.
Shape completed(Shape wanted, const Shape& from, bool allow_zero) {
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 0 && !allow_zero) {
      if (i >= from.size()) throw UserError("its shape has a 0 where its input has no dimension");
      wanted[i] = from[i];
    } else if (wanted[i] == -1) {
      if (open) throw UserError("its shape has two dimensions that are -1");
      open = i;
      wanted[i] = 1;
    } else if (wanted[i] < 0) {
      throw UserError(fmt::format("its shape has the extent {}", wanted[i]));
    }
  }
  require_sane({ir::Scalar::Bool, wanted});
  if (open) {
    const std::int64_t rest = model::elements(wanted);
    wanted[*open] = rest == 0 ? 0 : model::elements(from) / rest;
  }
  return wanted;
}

std::vector<ValueId> read_reshape(const Reading& r) {
  const auto shape = r.integers_of("shape", 1);
  if (!shape) throw UserError("its shape is missing");
  return {r.emit.reshape(
      r.input(0), completed(*shape, r.emit.shape(r.input(0)), r.attributes.flag("allowzero", false)))};
}

std::vector<ValueId> read_flatten(const Reading& r) {
  const Shape shape = r.emit.shape(r.input(0));
  const std::int64_t axis = r.attributes.integer("axis", 1);
  const auto rank = static_cast<std::int64_t>(shape.size());
  // The last place is behind all dimensions.
  const auto cut = static_cast<std::size_t>(axis == rank ? axis : axis_in(axis, shape.size()));
  return {r.emit.reshape(r.input(0), {product(shape, 0, cut), product(shape, cut, shape.size())})};
}

std::vector<ValueId> read_squeeze(const Reading& r) {
  const Shape shape = r.emit.shape(r.input(0));
  std::vector<int> axes;
  if (const auto given = r.integers_of("axes", 1)) {
    axes = axes_in(*given, shape.size());
  } else {
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) axes.push_back(static_cast<int>(i));
    }
  }
  return {r.emit.reshape(r.input(0), without(shape, axes))};
}

std::vector<ValueId> read_unsqueeze(const Reading& r) {
  const Shape shape = r.emit.shape(r.input(0));
  const auto axes = r.integers_of("axes", 1);
  if (!axes) throw UserError("its axes are missing");
  return {r.emit.reshape(r.input(0), with_ones(shape, axes_in(*axes, shape.size() + axes->size())))};
}

std::vector<ValueId> read_transpose(const Reading& r) {
  const std::size_t rank = r.emit.rank(r.input(0));
  std::vector<int> order(rank);
  std::iota(order.rbegin(), order.rend(), 0);
  if (const auto given = r.attributes.integers("perm")) {
    order.clear();
    for (const std::int64_t axis : *given) order.push_back(axis_in(axis, rank));
  }
  return {r.emit.transpose(r.input(0), std::move(order))};
}

std::vector<ValueId> read_expand(const Reading& r) {
  const Shape shape = r.integers(1, "shape");
  return {r.emit.expand(r.input(0), broadcast(r.emit.shape(r.input(0)), shape))};
}

// Each dimension that is repeated gets a new one in front of it, along which it is spread.
std::vector<ValueId> read_tile(const Reading& r) {
  const Shape shape = r.emit.shape(r.input(0));
  const std::vector<std::int64_t> repeats = r.integers(1, "repeats");
  if (repeats.size() != shape.size())
    throw UserError(fmt::format("it has {} repeats for {} dimensions", repeats.size(), shape.size()));
  Shape split, spread, merged;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    split.insert(split.end(), {1, shape[i]});
    spread.insert(spread.end(), {repeats[i], shape[i]});
    require_sane({ir::Scalar::Bool, {repeats[i], shape[i]}});
    merged.push_back(repeats[i] * shape[i]);
  }
  return {r.emit.reshape(r.emit.expand(r.emit.reshape(r.input(0), split), spread), merged)};
}

struct Blocks {
  Shape shape;  // of the input: n, c, h, w
  std::int64_t size;
};

Blocks blocks_of(const Reading& r) {
  const Shape shape = r.emit.shape(r.input(0));
  const std::int64_t size = r.attributes.required_integer("blocksize");
  if (shape.size() != 4) throw UserError("its input does not have four dimensions");
  if (size <= 0 || size > 1024) throw UserError(fmt::format("its block size is {}", size));
  return {shape, size};
}

std::vector<ValueId> read_depth_to_space(const Reading& r) {
  const auto [s, b] = blocks_of(r);
  const bool depth_first = r.attributes.text("mode", "DCR") != "CRD";
  if (s[1] % (b * b) != 0) throw UserError("its channels do not make whole blocks");
  const std::int64_t depth = s[1] / (b * b);
  const Shape split =
      depth_first ? Shape{s[0], b, b, depth, s[2], s[3]} : Shape{s[0], depth, b, b, s[2], s[3]};
  const std::vector<int> order =
      depth_first ? std::vector{0, 3, 4, 1, 5, 2} : std::vector{0, 1, 4, 2, 5, 3};
  return {r.emit.reshape(r.emit.transpose(r.emit.reshape(r.input(0), split), order),
                         {s[0], depth, s[2] * b, s[3] * b})};
}

std::vector<ValueId> read_space_to_depth(const Reading& r) {
  const auto [s, b] = blocks_of(r);
  if (s[2] % b != 0 || s[3] % b != 0) throw UserError("its rows and columns do not make whole blocks");
  const ValueId split = r.emit.reshape(r.input(0), {s[0], s[1], s[2] / b, b, s[3] / b, b});
  return {r.emit.reshape(r.emit.transpose(split, {0, 3, 5, 1, 2, 4}),
                         {s[0], s[1] * b * b, s[2] / b, s[3] / b})};
}

std::vector<ValueId> read_concat(const Reading& r) {
  const std::vector<ValueId> parts = r.all_inputs();
  const std::int64_t axis =
      r.opset < 4 ? r.attributes.integer("axis", 1) : r.attributes.required_integer("axis");
  return {r.emit.concat(parts, axis_in(axis, r.emit.rank(parts.front())))};
}

}  // namespace

Readers shapes() {
  return {
      {"Concat", read_concat},       {"DepthToSpace", read_depth_to_space},
      {"Expand", read_expand},       {"Flatten", read_flatten},
      {"Reshape", read_reshape},     {"SpaceToDepth", read_space_to_depth},
      {"Squeeze", read_squeeze},     {"Tile", read_tile},
      {"Transpose", read_transpose}, {"Unsqueeze", read_unsqueeze},
  };
}

}  // namespace hone::graph::onnx
