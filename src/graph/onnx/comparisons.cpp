// Comparisons, logic and choices.
#include <limits>

#include "base/error.h"
#include "graph/onnx/broadcasting.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

using ir::BinaryOp;
using ir::Expr;

void require_bools(const Reading& r) {
  for (const ValueId id : r.all_inputs()) {
    if (r.emit.type(id) != ir::Scalar::Bool) throw UserError("its inputs are not of type bool");
  }
}

template <BinaryOp kOp>
std::vector<ValueId> combine(const Reading& r) {
  require_bools(r);
  return of_two<kOp>(r);
}

std::vector<ValueId> read_not(const Reading& r) {
  require_bools(r);
  return {r.emit.map({r.input(0)}, [](const auto& x) { return ir::logical_not(x[0]); })};
}

std::vector<ValueId> read_where(const Reading& r) {
  return {r.emit.where(r.input(0), r.input(1), r.input(2))};
}

std::vector<ValueId> read_is_nan(const Reading& r) {
  return {r.emit.map({r.float_input(0)},
                     [](const auto& x) { return ir::binary(BinaryOp::Ne, x[0], x[0]); })};
}

std::vector<ValueId> read_is_inf(const Reading& r) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const bool positive = r.attributes.flag("detect_positive", true);
  const bool negative = r.attributes.flag("detect_negative", true);
  return {r.emit.map({r.float_input(0)}, [&](const auto& x) {
    Expr found = ir::bool_imm(false);
    if (positive) found = ir::eq(x[0], literal(kInfinity, x[0]));
    if (negative) found = ir::logical_or(found, ir::eq(x[0], literal(-kInfinity, x[0])));
    return found;
  })};
}

}  // namespace

Readers comparisons() {
  return {
      {"And", combine<BinaryOp::And>},
      {"Equal", of_two<BinaryOp::Eq>},
      {"Greater", of_two<BinaryOp::Gt>},
      {"GreaterOrEqual", of_two<BinaryOp::Ge>},
      {"IsInf", read_is_inf},
      {"IsNaN", read_is_nan},
      {"Less", of_two<BinaryOp::Lt>},
      {"LessOrEqual", of_two<BinaryOp::Le>},
      {"Not", read_not},
      {"Or", combine<BinaryOp::Or>},
      {"Where", read_where},
      {"Xor", combine<BinaryOp::Ne>},
  };
}

}  // namespace hone::graph::onnx
