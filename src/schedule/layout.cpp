#include "schedule/layout.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <tuple>

#include "base/error.h"
#include "schedule/original_ops.h"
#include "schedule/threads.h"
#include "schedule/values.h"

namespace hone::schedule {
namespace {

struct Reader {
  int stage = -1;
  const ir::Load* load = nullptr;
};

// The only load of the operand; no stage when there are several or when it is inlined.
Reader only_reader(const State& state, const ir::Buffer& operand) {
  Reader reader;
  int count = 0;
  for (std::size_t s = 0; s < state.stages.size(); ++s) {
    for (const ir::Expr& body : state.task->ops[s].body) {
      ir::visit(body, [&](const ir::Expr& e) {
        const auto* load = e.as<ir::Load>();
        if (load == nullptr || load->buffer != operand) return;
        reader = {static_cast<int>(s), load};
        ++count;
      });
    }
  }
  const bool is_one =
      count == 1 && state.stages[static_cast<std::size_t>(reader.stage)].location != Location::Inlined;
  return is_one ? reader : Reader{};
}

struct Piece {  // of one axis of the operand: one digit of its index
  int axis;
  Digit digit;
  std::int64_t extent;
  int depth;  // of the digit's loop
};

// The loops around and in a stage, outermost first.
std::vector<Var> loop_order(const State& state, int stage) {
  std::vector<Var> order;
  for (const LoopPlace& place : attach_path(state, stage)) {
    order.push_back(state.bounds.var(place.stage, place.loop));
  }
  std::reverse(order.begin(), order.end());
  for (const Iterator& iter : state.stages[static_cast<std::size_t>(stage)].iters) {
    order.push_back(state.bounds.var(stage, iter.loop));
  }
  return order;
}

// Whether the digits count through the axis: each steps over all that the finer ones reach.
bool is_mixed_radix(std::vector<Piece> pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.digit.scale < b.digit.scale; });
  std::int64_t reached = 1;
  for (const Piece& piece : pieces) {
    if (piece.digit.scale < reached) return false;
    reached = checked_product(piece.digit.scale, piece.extent);
  }
  return true;
}

std::optional<std::vector<Piece>> pieces_of(const Sum& index, int axis, const Vars& vars,
                                            const std::vector<Var>& order) {
  if (index.constant != 0) return std::nullopt;
  std::vector<Piece> pieces;
  for (const Digit& digit : index.digits) {
    const auto place = std::find(order.begin(), order.end(), digit.var);
    Sum value;
    value.digits.push_back(digit);
    value.digits.back().scale = 1;
    const Limits values = limits(vars, value);
    if (place == order.end() || !values.is_known()) return std::nullopt;
    pieces.push_back({axis, digit, values.max + 1, static_cast<int>(place - order.begin())});
  }
  if (!is_mixed_radix(pieces)) return std::nullopt;
  return pieces;
}

// Whether the op is its operand again, element by element.
bool is_copy(const task::Op& op) {
  const auto* load = op.body.size() == 1 ? op.body.front().as<ir::Load>() : nullptr;
  if (load == nullptr || load->index.size() != op.axes.size()) return false;
  for (std::size_t a = 0; a < op.axes.size(); ++a) {
    if (!load->index[a].same(op.axes[a].var)) return false;
  }
  return true;
}

}  // namespace

bool is_panel(const State& state, int stage) {
  const Stage& copy = state.stages[static_cast<std::size_t>(stage)];
  return copy.location == Location::Iter && copy.scope == ir::Scope::Global &&
         is_copy(state.task->ops[static_cast<std::size_t>(stage)]);
}

std::vector<int> panel_order(const State& state, int stage, Vars& vars) {
  if (!is_panel(state, stage)) return {};
  const task::Op& op = state.task->ops[static_cast<std::size_t>(stage)];
  const Reader reader = only_reader(state, op.output());
  if (reader.stage < 0) return {};
  const AxisValues axes = axis_values(state.task->ops[static_cast<std::size_t>(reader.stage)],
                                      loop_values(state, reader.stage, vars));
  const std::vector<Var> loops = loop_order(state, reader.stage);
  std::vector<std::ptrdiff_t> depth(op.axes.size(), -1);  // of the innermost loop that moves the axis
  for (std::size_t a = 0; a < depth.size(); ++a) {
    for (const Digit& digit : to_sum(vars, reader.load->index[a], axes).digits) {
      const auto loop = std::ranges::find(loops, digit.var);
      if (loop != loops.end()) depth[a] = std::max(depth[a], loop - loops.begin());
    }
  }
  std::vector<int> order(op.axes.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](int a) { return depth[static_cast<std::size_t>(a)]; });
  return order;
}

bool is_layout_free(const task::Task& task, const std::string& placeholder) {
  return std::any_of(task.ops.begin(), task.ops.end(), [&](const task::Op& op) {
    const auto& free = op.hints.layout_free;
    return std::find(free.begin(), free.end(), placeholder) != free.end();
  });
}

std::optional<PackedRead> packed_read(const State& state, int operand, Vars& vars) {
  const task::Op& op = state.task->ops[static_cast<std::size_t>(operand)];
  if (!op.is_placeholder() || !is_layout_free(*state.task, op.name())) return std::nullopt;
  const Reader reader = only_reader(state, op.output());
  if (reader.stage < 0) return std::nullopt;
  const AxisValues axes = axis_values(state.task->ops[static_cast<std::size_t>(reader.stage)],
                                      loop_values(state, reader.stage, vars));
  const std::vector<Var> order = loop_order(state, reader.stage);
  std::vector<Piece> all;
  for (std::size_t a = 0; a < reader.load->index.size(); ++a) {
    const auto pieces =
        pieces_of(to_sum(vars, reader.load->index[a], axes), static_cast<int>(a), vars, order);
    if (!pieces) return std::nullopt;
    all.insert(all.end(), pieces->begin(), pieces->end());
  }
  if (all.empty()) return std::nullopt;
  std::ranges::sort(all, {}, [](const Piece& piece) {
    return std::tuple(piece.depth, -piece.digit.lower, piece.axis);
  });
  PackedRead read;
  for (const Piece& piece : all) {
    read.layout.dims.push_back({piece.axis, piece.extent, piece.digit.scale});
    read.layout.shape.push_back(piece.extent);
    read.index.push_back(piece.digit);
    read.index.back().scale = 1;
  }
  return read;
}

std::optional<PackedLayout> packed_layout(const State& state, int operand) {
  Vars vars = exact_vars(state);
  const std::vector<int> ops = original_ops(state);
  const auto stage = std::ranges::find(ops, operand) - ops.begin();
  auto read = packed_read(state, static_cast<int>(stage), vars);
  if (!read) return std::nullopt;
  return std::move(read->layout);
}

namespace {

std::vector<std::int64_t> source_index(const PackedLayout& layout, std::size_t rank,
                                       std::int64_t packed_element) {
  std::vector<std::int64_t> index(rank, 0);
  for (auto dim = layout.dims.rbegin(); dim != layout.dims.rend(); ++dim) {
    index[static_cast<std::size_t>(dim->axis)] += packed_element % dim->extent * dim->stride;
    packed_element /= dim->extent;
  }
  return index;
}

std::int64_t element_at(const std::vector<std::int64_t>& index,
                        const std::vector<std::int64_t>& shape) {
  std::int64_t element = 0;
  for (std::size_t a = 0; a < index.size(); ++a) {
    if (index[a] >= shape[a]) return -1;
    element = element * shape[a] + index[a];
  }
  return element;
}

}  // namespace

std::int64_t source_element(const PackedLayout& layout, const std::vector<std::int64_t>& original_shape,
                            std::int64_t packed_element) {
  return element_at(source_index(layout, original_shape.size(), packed_element), original_shape);
}

std::int64_t element_count(const PackedLayout& layout) {
  std::int64_t count = 1;
  for (const std::int64_t extent : layout.shape) count = checked_product(count, extent);
  return count;
}

// Row by row of the innermost dimension: finding an element's source from its number takes longer than
// copying it, and a large model has hundreds of millions of them.
std::vector<std::byte> pack(const PackedLayout& layout, const std::vector<std::int64_t>& original_shape,
                            std::span<const std::byte> original, std::size_t element_bytes) {
  const std::int64_t count = element_count(layout);
  std::vector<std::byte> packed(static_cast<std::size_t>(count) * element_bytes);
  check(!layout.dims.empty(), "a packed operand has dimensions");
  const PackedDim row = layout.dims.back();
  const auto axis = static_cast<std::size_t>(row.axis);
  std::int64_t step = row.stride;  // from one element of a row to the next, in the original
  for (std::size_t a = axis + 1; a < original_shape.size(); ++a) step *= original_shape[a];
  for (std::int64_t element = 0; element < count; element += row.extent) {
    const std::vector<std::int64_t> index = source_index(layout, original_shape.size(), element);
    const std::int64_t first = element_at(index, original_shape);
    if (first < 0) continue;
    const std::int64_t room = (original_shape[axis] - index[axis] + row.stride - 1) / row.stride;
    const std::int64_t inside = std::min(room, row.extent);  // the rest of the row is padding
    const std::size_t last = static_cast<std::size_t>(first + (inside - 1) * step);
    check((last + 1) * element_bytes <= original.size(), "the original has its whole shape");
    for (std::int64_t i = 0; i < inside; ++i) {
      std::memcpy(packed.data() + static_cast<std::size_t>(element + i) * element_bytes,
                  original.data() + static_cast<std::size_t>(first + i * step) * element_bytes,
                  element_bytes);
    }
  }
  return packed;
}

}  // namespace hone::schedule
