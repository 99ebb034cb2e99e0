// Programs with every operator, function and cast on every type, one element at a time or in vectors.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "ir/program.h"

namespace hone::codegen {

using ir::BinaryOp;
using ir::Expr;
using ir::Function;
using ir::Scalar;
using ir::Type;

inline constexpr Scalar kScalars[] = {Scalar::I8,  Scalar::I16,  Scalar::I32, Scalar::I64,
                                      Scalar::U8,  Scalar::U16,  Scalar::U32, Scalar::U64,
                                      Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64};

inline std::vector<Expr> results_of(const Expr& x, const Expr& y, const Expr& nonzero) {
  const Type type = x.type();
  std::vector<Expr> out = {x + y, x - y, x * y, ir::min(x, y), ir::max(x, y), (x - y) * y + x};
  for (const BinaryOp op : {BinaryOp::Div, BinaryOp::FloorDiv, BinaryOp::FloorMod}) {
    out.push_back(ir::binary(op, x, nonzero));
  }
  for (const BinaryOp op :
       {BinaryOp::Eq, BinaryOp::Ne, BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge}) {
    out.push_back(ir::select(ir::binary(op, x, y), x, ir::constant(7, type)));
  }
  out.push_back(ir::call(Function::Abs, {x}));
  if (ir::is_float(type.scalar)) {
    for (const Function function : {Function::Exp, Function::Erf, Function::Tanh, Function::Sigmoid,
                                    Function::Floor, Function::Ceil, Function::Round}) {
      out.push_back(ir::call(function, {x}));
    }
    const Expr positive = ir::call(Function::Abs, {x}) + ir::constant(0.5, type);
    for (const Function function : {Function::Log, Function::Sqrt, Function::Rsqrt}) {
      out.push_back(ir::call(function, {positive}));
    }
    out.push_back(ir::call(Function::Pow, {positive, y}));
    out.push_back(ir::call(Function::Pow, {x, ir::constant(3, type)}));
    out.push_back(ir::call(Function::Fma, {x, y, nonzero}));
  } else {
    out.push_back(ir::binary(BinaryOp::Mod, x, nonzero));
    out.push_back(ir::call(Function::ShiftLeft, {x, ir::constant(3, type)}));
    out.push_back(ir::call(Function::ShiftRight, {x, ir::constant(2, type)}));
  }
  return out;
}

// One output a result; `lanes` elements at a time.
inline ir::Program operators_program(Scalar scalar, int lanes) {
  constexpr int kElements = 48;
  const Type type{scalar, 1};
  ir::Program program{"operators_" + ir::to_string(type), {}, {}};
  for (const char* name : {"x", "y", "z"}) {
    program.params.push_back(ir::make_buffer(name, type, {kElements}));
  }
  const Expr i = ir::variable("i");
  const Expr place = lanes == 1 ? i : ir::ramp(i * lanes, 1, lanes);
  const auto at = [&](int p) { return ir::load(program.params[static_cast<std::size_t>(p)], {place}); };
  const Expr z = at(2), zero = ir::constant(0, z.type());
  const Expr nonzero = ir::select(ir::eq(z, zero), ir::constant(3, z.type()), z);
  const std::vector<Expr> results = results_of(at(0), at(1), nonzero);
  ir::ProgramWriter writer(program);
  const auto loop = writer.open(ir::For{i, 0, kElements / lanes});
  for (std::size_t r = 0; r < results.size(); ++r) {
    program.params.push_back(ir::make_buffer(fmt::format("result{}", r), type, {kElements}));
    writer.store(program.params.back(), {place}, results[r]);
  }
  writer.close(loop);
  return program;
}

// Every type into every type, and the bits of each read as another.
inline ir::Program casts_program(Scalar from, int lanes) {
  constexpr int kElements = 16;
  ir::Program program{
      "casts_from_" + ir::to_string({from, 1}), {ir::make_buffer("x", {from, 1}, {kElements})}, {}};
  const Expr i = ir::variable("i");
  const Expr place = lanes == 1 ? i : ir::ramp(i * lanes, 1, lanes);
  const Expr x = ir::load(program.params[0], {place});
  ir::ProgramWriter writer(program);
  const auto loop = writer.open(ir::For{i, 0, kElements / lanes});
  for (int to = 0; to <= static_cast<int>(Scalar::F64); ++to) {
    const Type type{static_cast<Scalar>(to), 1};
    program.params.push_back(ir::make_buffer("to_" + ir::to_string(type), type, {kElements}));
    writer.store(program.params.back(), {place}, ir::cast(type.with_lanes(lanes), x));
    if (ir::bits(type.scalar) != ir::bits(from) || type.scalar == Scalar::Bool || from == Scalar::Bool)
      continue;
    program.params.push_back(ir::make_buffer("as_" + ir::to_string(type), type, {kElements}));
    writer.store(program.params.back(), {place},
                 ir::make(type.with_lanes(lanes), ir::Call{Function::Reinterpret, {x}}));
  }
  writer.close(loop);
  return program;
}

}  // namespace hone::codegen
