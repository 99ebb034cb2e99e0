#include "graph/maps.h"

#include <fmt/format.h>

#include "ir/simplify.h"

namespace hone::graph {

using ir::Expr;
using ir::Scalar;

Map make_map(const std::vector<Scalar>& types, const MapBody& body) {
  Map map;
  for (const Scalar type : types) {
    map.operands.push_back(ir::variable(fmt::format("x{}", map.operands.size()), {type}));
  }
  map.body = ir::simplify(body(map.operands));
  return map;
}

Map unary(ir::Function function, Scalar type) {
  return make_map({type}, [&](const auto& x) { return ir::call(function, {x[0]}); });
}

Map binary(ir::BinaryOp op, Scalar type) {
  return make_map({type, type}, [&](const auto& x) { return ir::binary(op, x[0], x[1]); });
}

Map negate(Scalar type) {
  // 0 - x would lose the sign of a zero.
  return make_map({type}, [&](const auto& x) {
    return ir::is_float(type) ? x[0] * ir::constant(-1, {type}) : ir::constant(0, {type}) - x[0];
  });
}

Map logical_not() {
  return make_map({Scalar::Bool}, [](const auto& x) { return ir::logical_not(x[0]); });
}

Map where(Scalar type) {
  return make_map({Scalar::Bool, type, type},
                  [](const auto& x) { return ir::select(x[0], x[1], x[2]); });
}

Map cast(Scalar from, Scalar to) {
  return make_map({from}, [&](const auto& x) { return ir::cast({to}, x[0]); });
}

Map clip(Scalar type, std::optional<double> low, std::optional<double> high) {
  return make_map({type}, [&](const auto& x) {
    Expr value = x[0];
    if (low) value = ir::max(value, ir::constant(*low, {type}));
    if (high) value = ir::min(value, ir::constant(*high, {type}));
    return value;
  });
}

}  // namespace hone::graph
