#include <algorithm>

#include "graph/evaluate/elements.h"
#include "graph/evaluate/operators.h"
#include "ir/lanes.h"

namespace hone::graph {
namespace {

// How elements are met: all operands along the dimensions of the result.
struct Walk {
  Shape shape;                   // of the result
  std::vector<Strides> strides;  // one an operand
};

// Neighbouring dimensions that every operand walks through as if they were one become one: rows get
// long.
Walk joined(const Walk& walk) {
  Walk joined{{}, std::vector<Strides>(walk.strides.size())};
  for (std::size_t d = 0; d < walk.shape.size(); ++d) {
    const bool joins = d > 0 && std::ranges::all_of(walk.strides, [&](const Strides& strides) {
                         return strides[d - 1] == strides[d] * walk.shape[d];
                       });
    if (joins) {
      joined.shape.back() *= walk.shape[d];
    } else {
      joined.shape.push_back(walk.shape[d]);
    }
    for (std::size_t i = 0; i < walk.strides.size(); ++i) {
      if (joins) joined.strides[i].pop_back();
      joined.strides[i].push_back(walk.strides[i][d]);
    }
  }
  return joined;
}

void write_lanes(ir::Scalar type, std::span<const ir::Number> lanes, std::byte* to) {
  for_type(type, [&](auto scalar) {
    for (const ir::Number number : lanes) {
      ir::write_number(scalar(), to, number);
      to += ir::size_bytes(scalar());
    }
  });
}

}  // namespace

Tensors evaluate_op(const Map& op, Operands inputs, OutputTypes types) {
  Tensor result = Tensor::zeros(types[0].type, types[0].shape);
  if (result.size() == 0) return {result};
  Walk walk{types[0].shape, {}};
  for (const Tensor& input : inputs)
    walk.strides.push_back(broadcast_strides(input.shape(), walk.shape));
  walk = joined(walk);

  constexpr std::int64_t kMaxLanes = 256;  // a few rows of numbers stay in the first-level cache
  const std::int64_t row = row_extent(walk.shape), lanes = std::min(row, kMaxLanes);
  ir::LaneEvaluator evaluator(op.operands, op.body, static_cast<std::int32_t>(lanes));
  std::byte* out = result.writable().data();
  for_each_row(walk.shape, walk.strides, [&](std::span<const std::int64_t> offsets) {
    for (std::int64_t first = 0; first < row; first += lanes) {
      // The last lanes of a row may be worked out twice: then there is no part of a block.
      const std::int64_t begin = std::min(first, row - lanes);
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::int64_t stride = row_stride(walk.strides[i]);
        read_elements<ir::Number>(inputs[i], offsets[i] + begin * stride, stride, evaluator.operand(i));
      }
      write_lanes(result.type(), evaluator.run(), out + begin * ir::size_bytes(result.type()));
    }
    out += row * ir::size_bytes(result.type());
  });
  return {result};
}

}  // namespace hone::graph
