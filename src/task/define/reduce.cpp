// Reductions along whole axes.
#include <algorithm>

#include "base/error.h"
#include "task/define/define.h"

namespace hone::task::define {
namespace {

Reducer reducer_of(graph::Reduction reduction) {
  switch (reduction) {
    case graph::Reduction::Sum:
      return Reducer::Sum;
    case graph::Reduction::Max:
      return Reducer::Max;
    case graph::Reduction::Min:
      return Reducer::Min;
    case graph::Reduction::Prod:
      return Reducer::Prod;
  }
  fail("a reduction of the enum");
}

const char* name_of(Reducer reducer) {
  switch (reducer) {
    case Reducer::Sum:
      return "sum";
    case Reducer::Max:
      return "max";
    case Reducer::Min:
      return "min";
    default:
      return "prod";
  }
}

// The axes of a reduction: what stays, what is reduced, and where an element is read.
struct Loops {
  Axes axes, reduced;
  std::vector<std::size_t> kept;  // dimensions of the value that stay
  Index index;
};

Loops loops_over(const Shape& shape, const std::vector<int>& along) {
  static const char* const kNames[] = {"i", "j"};
  Loops loops;
  const std::size_t n_kept = shape.size() - along.size();
  for (std::size_t d = 0; d < shape.size(); ++d) {
    const bool is_reduced = std::ranges::find(along, static_cast<int>(d)) != along.end();
    Axes& to = is_reduced ? loops.reduced : loops.axes;
    const std::size_t number = to.size();
    const std::string name = !is_reduced && n_kept <= 2 ? kNames[number]
                             : is_reduced && along.size() == 1
                                 ? "k"
                                 : (is_reduced ? "k" : "i") + std::to_string(number);
    to.push_back(ops::axis(name, shape[d]));
    loops.index.push_back(to.back().var);
    if (!is_reduced) loops.kept.push_back(d);
  }
  if (loops.axes.empty()) loops.axes.push_back(ops::axis("i", 1));
  return loops;
}

}  // namespace

void define(Scope& scope, const graph::Node& node, const graph::Reduce& reduce) {
  const ValueId in = node.inputs.front();
  const Reducer reducer = reducer_of(reduce.reduction);
  const Loops loops = loops_over(scope.shape(in), reduce.axes);
  const bool sums = reducer == Reducer::Sum || reducer == Reducer::Prod;
  const ir::Expr element = sums ? scope.read_to_sum(in, loops.index) : scope.read(in, loops.index);
  ops::Draft& draft = scope.draft();
  const ir::Buffer result = loops.reduced.empty() ? draft.compute(name_of(reducer), loops.axes, element)
                                                  : draft.reduce(name_of(reducer), loops.axes,
                                                                 {reducer, loops.reduced}, element);
  scope.bind(node.outputs.front(), result, loops.kept);
}

void define(Scope& scope, const graph::Node& node, const graph::ArgReduce& reduce) {
  const ValueId in = node.inputs.front();
  Loops loops = loops_over(scope.shape(in), {reduce.axis});
  // The first of equals wins, so that the last one does when the axis is walked backwards.
  const Axis& along = loops.reduced.front();
  const auto position = [&](const ir::Expr& place) {
    return reduce.last_wins ? (along.extent - 1) - place : place;
  };
  loops.index[static_cast<std::size_t>(reduce.axis)] = position(along.var);
  ops::Draft& draft = scope.draft();
  const ir::Buffer place =
      draft.arg_reduce(loops.axes, {reduce.largest ? Reducer::ArgMax : Reducer::ArgMin, loops.reduced},
                       along.var, scope.read(in, loops.index));
  const Axes axes = ops::fresh(loops.axes);
  const ir::Expr found = ir::load(place, ops::index_of(axes));
  const ir::Buffer result =
      draft.compute("place", axes, ir::cast(scope.type(node.outputs.front()), position(found)));
  scope.bind(node.outputs.front(), result, loops.kept);
}

// Sums over the elements up to each, as a triangle of conditions.
void define(Scope& scope, const graph::Node& node, const graph::CumSum& sum) {
  const ValueId in = node.inputs.front(), out = node.outputs.front();
  const Axes axes = scope.axes(scope.shape(out));
  const auto along = static_cast<std::size_t>(sum.axis);
  const Axis k = ops::axis("k", axes[along].extent);
  const ir::Expr& first = sum.reverse ? axes[along].var : k.var;
  const ir::Expr& second = sum.reverse ? k.var : axes[along].var;
  Index index = ops::index_of(axes);
  index[along] = k.var;
  const ir::Expr element = scope.read_to_sum(in, index);
  const ir::Expr term = ir::select(sum.exclusive ? first < second : first <= second, element,
                                   ir::constant(0, element.type()));
  scope.bind(out, scope.draft().reduce("cumsum", axes, {Reducer::Sum, {k}}, term));
}

}  // namespace hone::task::define
