#include <array>
#include <utility>

#include "ir/arithmetic.h"
#include "ir/handlers.h"

namespace hone::ir::bytecode {
namespace {

constexpr std::size_t kOps = static_cast<std::size_t>(BinaryOp::Or) + 1;
constexpr std::size_t kScalars = static_cast<std::size_t>(Scalar::F64) + 1;

template <BinaryOp op, Scalar scalar>
const Instruction* binary_op(const Instruction& in, Machine& m) {
  Number* dst = m.slots + in.dst;
  const Number* a = m.slots + in.a;
  const Number* b = m.slots + in.b;
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    if constexpr (is_float(scalar)) {
      if constexpr (compares(op)) {
        dst[lane].i = compare(op, a[lane].f, b[lane].f);
      } else {
        dst[lane].f = evaluate(op, scalar, a[lane].f, b[lane].f);
      }
    } else {
      if constexpr (divides(op)) {
        if (b[lane].i == 0) m.fail(in, "a division by zero");
      }
      dst[lane].i = evaluate(op, scalar, a[lane].i, b[lane].i);
    }
  }
  return &in + 1;
}

template <std::size_t... index>
constexpr std::array<Handler, sizeof...(index)> all_binary_ops(std::index_sequence<index...>) {
  return {
      &binary_op<static_cast<BinaryOp>(index / kScalars), static_cast<Scalar>(index % kScalars)>...};
}

}  // namespace

Handler binary_handler(BinaryOp op, Scalar scalar) {
  static constexpr auto kHandlers = all_binary_ops(std::make_index_sequence<kOps * kScalars>());
  return kHandlers[static_cast<std::size_t>(op) * kScalars + static_cast<std::size_t>(scalar)];
}

const Instruction* call_float(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    const std::array args = {m.slots[in.a + lane].f, m.slots[in.b + lane].f, m.slots[in.c + lane].f};
    m.slots[in.dst + lane].f =
        evaluate(static_cast<Function>(in.value), static_cast<Scalar>(in.limit), args.data());
  }
  return &in + 1;
}

const Instruction* call_int(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    const std::array args = {m.slots[in.a + lane].i, m.slots[in.b + lane].i, m.slots[in.c + lane].i};
    m.slots[in.dst + lane].i =
        evaluate(static_cast<Function>(in.value), static_cast<Scalar>(in.limit), args.data());
  }
  return &in + 1;
}

const Instruction* convert_lanes(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    m.slots[in.dst + lane] =
        convert(static_cast<Scalar>(in.value), static_cast<Scalar>(in.limit), m.slots[in.a + lane]);
  }
  return &in + 1;
}

const Instruction* reinterpret_lanes(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    m.slots[in.dst + lane] =
        reinterpret(static_cast<Scalar>(in.value), static_cast<Scalar>(in.limit), m.slots[in.a + lane]);
  }
  return &in + 1;
}

const Instruction* negate(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane)
    m.slots[in.dst + lane].i = m.slots[in.a + lane].i == 0;
  return &in + 1;
}

const Instruction* select_lanes(const Instruction& in, Machine& m) {
  const std::int32_t step = in.limit > 1 ? 1 : 0;
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    m.slots[in.dst + lane] = m.slots[(m.slots[in.a + lane * step].i != 0 ? in.b : in.c) + lane];
  }
  return &in + 1;
}

const Instruction* make_ramp(const Instruction& in, Machine& m) {
  const auto base = static_cast<std::uint64_t>(m.slots[in.a].i);
  const auto stride = static_cast<std::uint64_t>(m.slots[in.b].i);
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    const std::uint64_t value = base + stride * static_cast<std::uint64_t>(lane);
    m.slots[in.dst + lane].i = wrap_to(static_cast<Scalar>(in.limit), static_cast<std::int64_t>(value));
  }
  return &in + 1;
}

const Instruction* broadcast_lanes(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) m.slots[in.dst + lane] = m.slots[in.a];
  return &in + 1;
}

const Instruction* copy_lanes(const Instruction& in, Machine& m) {
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) m.slots[in.dst + lane] = m.slots[in.a + lane];
  return &in + 1;
}

const Instruction* add_scaled(const Instruction& in, Machine& m) {
  const auto start = static_cast<std::uint64_t>(m.slots[in.b].i);
  for (std::int32_t lane = 0; lane < in.lanes; ++lane) {
    const auto factor = static_cast<std::uint64_t>(m.slots[in.a + lane].i);
    m.slots[in.dst + lane].i =
        static_cast<std::int64_t>(start + factor * static_cast<std::uint64_t>(in.value));
  }
  return &in + 1;
}

}  // namespace hone::ir::bytecode
