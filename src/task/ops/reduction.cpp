// Operators along the rows of a matrix: soft-max, layer norm, matrix norm, arg-max.
#include "task/ops/operator.h"

namespace hone::task::ops {
namespace {

ir::Expr function(ir::Function name, const ir::Expr& value) { return ir::call(name, {value}); }

ChannelDims write_softmax(Draft& draft, const Arguments& args) {
  const std::int64_t rows = args["rows"], columns = args["cols"];
  const auto row = [&] { return axis("i", rows); };
  const auto column = [&](const char* name) { return axis(name, columns); };
  const ir::Buffer a = draft.placeholder("A", {rows, columns});

  Axis i = row(), j = column("k");
  const ir::Buffer largest =
      draft.reduce("maxelem", {i}, {Reducer::Max, {j}}, ir::load(a, {i.var, j.var}));
  i = row(), j = column("j");
  const ir::Buffer exp = draft.compute(
      "exp", {i, j}, function(ir::Function::Exp, read(a, {i.var, j.var}) - read(largest, {i.var})));
  i = row(), j = column("k2");
  const ir::Buffer sum =
      draft.reduce("expsum", {i}, {Reducer::Sum, {j}}, read_to_sum(exp, {i.var, j.var}));
  i = row(), j = column("j");
  draft.compute("norm", {i, j}, read(exp, {i.var, j.var}) / read(sum, {i.var}));
  return {1};
}

ChannelDims write_layer_norm(Draft& draft, const Arguments& args) {
  const std::int64_t rows = args["rows"], columns = args["cols"];
  const auto row = [&] { return axis("i", rows); };
  const auto column = [&](const char* name) { return axis(name, columns); };
  const auto constant = [&](double value) { return ir::constant(value, arithmetic(draft.type())); };
  const ir::Expr share = constant(1 / static_cast<double>(columns));
  const ir::Buffer a = draft.placeholder("A", {rows, columns});

  Axis i = row(), j = column("k");
  const ir::Buffer sum = draft.reduce("sum", {i}, {Reducer::Sum, {j}}, read_to_sum(a, {i.var, j.var}));
  i = row(), j = column("j");
  const ir::Buffer centre =
      draft.compute("centre", {i, j}, read(a, {i.var, j.var}) - read(sum, {i.var}) * share);
  i = row(), j = column("k2");
  const ir::Expr difference = read_to_sum(centre, {i.var, j.var});
  const ir::Buffer squares = draft.reduce("var", {i}, {Reducer::Sum, {j}}, difference * difference);
  const ir::Buffer gamma = draft.placeholder("gamma", {columns});
  const ir::Buffer beta = draft.placeholder("beta", {columns});
  i = row(), j = column("j");
  const ir::Expr variance = read(squares, {i.var}) * share;
  const ir::Expr scale = function(ir::Function::Rsqrt, variance + constant(1e-5));
  draft.compute("out", {i, j},
                read(centre, {i.var, j.var}) * scale * read(gamma, {j.var}) + read(beta, {j.var}));
  return {1};
}

// The root of the sum of all squares of each matrix.
ChannelDims write_norm(Draft& draft, const Arguments& args) {
  const Axis b = axis("b", args["b"]), i = axis("i", args["m"]), j = axis("j", args["n"]);
  const ir::Buffer a = draft.placeholder("A", shape_of({b, i, j}));
  const ir::Expr element = read_to_sum(a, {b.var, i.var, j.var});
  const ir::Buffer squares = draft.reduce("C", {b}, {Reducer::Sum, {i, j}}, element * element);
  const Axis each = axis("b", b.extent);
  draft.compute("D", {each}, function(ir::Function::Sqrt, read(squares, {each.var})));
  return {0};
}

ChannelDims write_argmax(Draft& draft, const Arguments& args) {
  const Axis i = axis("i", args["rows"]), k = axis("k", args["cols"]);
  const ir::Buffer a = draft.placeholder("A", {i.extent, k.extent});
  const ir::Type index{ir::Scalar::I32, 1};
  draft.arg_reduce({i}, {Reducer::ArgMax, {k}}, ir::cast(index, k.var), ir::load(a, {i.var, k.var}));
  return {0};
}

}  // namespace

std::vector<Operator> reduction_operators() {
  const Key rows{"rows", "", "rows"}, columns{"cols", "", "columns, over which is reduced"};
  return {
      {"softmax",
       "exponentials of each row, divided by their sum",
       {rows, columns, float_types()},
       "softmax:rows=1536,cols=128",
       write_softmax},
      {"layer_norm",
       "each row shifted and scaled to mean 0 and variance 1, then by gamma and beta",
       {rows, columns, float_types()},
       "layer_norm:rows=128,cols=768",
       write_layer_norm},
      {"norm",
       "Frobenius norm of each matrix of a batch",
       {{"b", "1", "batch"}, {"m", "", "rows"}, {"n", "", "columns"}, float_types()},
       "norm:b=16,m=256,n=256",
       write_norm},
      {"argmax",
       "place and value of each row's first largest element",
       {rows, columns, number_types()},
       "argmax:rows=128,cols=1000",
       write_argmax,
       false},
  };
}

}  // namespace hone::task::ops
