// One function of every element, or of two tensors' elements in pairs.
#include <fmt/format.h>

#include "base/error.h"
#include "task/ops/operator.h"
#include "task/ops/pointwise.h"

namespace hone::task::ops {
namespace {

ChannelDims write_elementwise(Draft& draft, const Arguments& args) {
  const Pointwise& function = pointwise(args.word("fn"));
  if (!function.takes_integers && !ir::is_float(draft.type().scalar)) {
    throw UserError(fmt::format("{}: {} takes floats, not {}", args.operator_name(), function.name,
                                args.word("type")),
                    "take type=f32");
  }
  const Axis i = axis("i", args["n"]);
  const ir::Expr a = read(draft.placeholder("A", {i.extent}), {i.var});
  const ir::Expr b =
      function.operands == 2 ? read(draft.placeholder("B", {i.extent}), {i.var}) : ir::Expr();
  draft.compute(function.name, {i}, function.apply(a, b));
  return {0};
}

}  // namespace

std::vector<Operator> elementwise_operators() {
  Key function{.name = "fn", .fallback = "", .meaning = "function of one or two elements"};
  for (const Pointwise& f : pointwise_functions()) function.words.push_back(f.name);
  return {{"elementwise",
           "a function of every element",
           {{"n", "", "elements"}, function, number_types()},
           "elementwise:n=1048576,fn=tanh",
           write_elementwise}};
}

}  // namespace hone::task::ops
