// Maps that import and passes make again and again.
#pragma once
#include <functional>
#include <initializer_list>
#include <optional>
#include <vector>

#include "graph/operators.h"

namespace hone::graph {

// The body of a map as a function of its operands.
using MapBody = std::function<ir::Expr(const std::vector<ir::Expr>& operands)>;
// A map over inputs of these types; its body is simplified.
Map make_map(const std::vector<ir::Scalar>& types, const MapBody& body);

Map unary(ir::Function function, ir::Scalar type);
Map binary(ir::BinaryOp op, ir::Scalar type);  // arithmetic, comparisons (to bool), and/or of bools
Map negate(ir::Scalar type);
Map logical_not();
Map where(ir::Scalar type);  // bool, then, else
Map cast(ir::Scalar from, ir::Scalar to);
Map clip(ir::Scalar type, std::optional<double> low, std::optional<double> high);

}  // namespace hone::graph
