#include "codegen/access.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"

namespace hone::codegen {
namespace {

// A vector of integers base + lane * stride.
struct Lanes {
  ir::Expr base;
  std::int64_t stride;
};

std::optional<Lanes> as_lanes(const ir::Expr& e) {
  if (e.type().lanes == 1) return Lanes{e, 0};
  if (const auto* broadcast = e.as<ir::Broadcast>()) return Lanes{broadcast->value, 0};
  if (const auto* ramp = e.as<ir::Ramp>()) {
    const auto stride = ir::as_int(ramp->stride);
    return stride ? std::optional(Lanes{ramp->base, *stride}) : std::nullopt;
  }
  const auto* n = e.as<ir::Binary>();
  if (n == nullptr) return std::nullopt;
  const auto a = as_lanes(n->a), b = as_lanes(n->b);
  if (!a || !b) return std::nullopt;
  switch (n->op) {
    case ir::BinaryOp::Add:
      return Lanes{a->base + b->base, a->stride + b->stride};
    case ir::BinaryOp::Sub:
      return Lanes{a->base - b->base, a->stride - b->stride};
    case ir::BinaryOp::Mul: {
      const auto factor_a = ir::as_int(a->base), factor_b = ir::as_int(b->base);
      if (factor_b && b->stride == 0) return Lanes{a->base * b->base, a->stride * *factor_b};
      if (factor_a && a->stride == 0) return Lanes{a->base * b->base, b->stride * *factor_a};
      return std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

void add_scaled(ir::Linear& sum, const ir::Linear& part, std::int64_t factor) {
  sum.constant += part.constant * factor;
  for (const ir::Linear::Term& term : part.terms) {
    const auto same = std::ranges::find_if(
        sum.terms, [&](const ir::Linear::Term& other) { return ir::equal(other.atom, term.atom); });
    if (same == sum.terms.end()) {
      sum.terms.push_back({term.atom, term.coefficient * factor});
    } else {
      same->coefficient += term.coefficient * factor;
    }
  }
  std::erase_if(sum.terms, [](const ir::Linear::Term& term) { return term.coefficient == 0; });
}

}  // namespace

std::optional<Access> find_access(const ir::BufferNode& buffer, const std::vector<ir::Expr>& index,
                                  const ir::Ranges& ranges) {
  const std::vector<std::int64_t> strides = ir::strides_of(buffer);
  // One index into a buffer of more dimensions is an offset into its memory.
  const bool is_flat = index.size() == 1 && strides.size() != 1;
  check(is_flat || index.size() == strides.size(), "an access has one index a dimension");
  Access access;
  for (std::size_t d = 0; d < index.size(); ++d) {
    const auto lanes = as_lanes(index[d]);
    if (!lanes) return std::nullopt;
    const std::int64_t stride = is_flat ? 1 : strides[d];
    add_scaled(access.offset, ir::linear(lanes->base, ranges), stride);
    access.lane_stride += lanes->stride * stride;
  }
  return access;
}

Access find_prefetch(const ir::Intrinsic& intrinsic, const ir::Ranges& ranges) {
  if (intrinsic.name != "prefetch") {
    throw UserError(fmt::format("no CPU has the intrinsic \"{}\"", intrinsic.name),
                    "the one it knows is prefetch");
  }
  check(intrinsic.reads.size() == 1, "a prefetch names what it reads");
  const auto access = find_access(*intrinsic.reads.front().buffer, intrinsic.reads.front().min, ranges);
  check(access.has_value(), "a prefetch has a scalar place");
  return *access;
}

ir::Linear shifted(ir::Linear offset, std::int64_t elements) {
  offset.constant += elements;
  return offset;
}

ir::Expr lane_of(const ir::Expr& e, int lane, const Extract& extract) {
  if (e.type().lanes == 1) return e;
  if (const auto* broadcast = e.as<ir::Broadcast>()) return broadcast->value;
  if (const auto* ramp = e.as<ir::Ramp>()) {
    return ramp->base + ramp->stride * ir::int_imm(lane, ramp->stride.type());
  }
  const auto* load = e.as<ir::Load>();
  if (e.as<ir::Variable>() || (load && load->buffer->type.lanes > 1)) return extract(e, lane);
  return ir::map_children(e, [&](const ir::Expr& child) { return lane_of(child, lane, extract); });
}

}  // namespace hone::codegen
