// The interpreter computes what expressions mean, wherever loops and conditions let it hoist.
#include <gtest/gtest.h>

#include <algorithm>

#include "ir/interpret.h"
#include "ir/print.h"
#include "random_expr.h"

namespace hone::ir {
namespace {

std::int64_t extent(Interval range) { return range.max - range.min + 1; }

// out[every point] = condition ? e : 7, in a nest over all variables of the expression.
Program nest_of(RandomExpr& random, const Buffer& out, const Expr& condition, const Expr& e) {
  Program program{.name = "nest", .params = {out}, .stmts = {}};
  ProgramWriter writer(program);
  std::vector<std::int32_t> open;
  Expr position = 0;
  for (const Expr& v : random.variables()) {
    const Interval range = random.ranges().at(v.get());
    open.push_back(writer.open(For{v, range.min, extent(range)}));
    position = position * Expr(extent(range)) + (v - Expr(range.min));
  }
  const auto branch = writer.open(If{condition});
  writer.store(out, {position}, e);
  writer.close(branch);
  const auto otherwise = writer.open(Else{});
  writer.store(out, {position}, Expr(7));
  writer.close(otherwise);
  for (std::size_t i = open.size(); i > 0; --i) writer.close(open[i - 1]);
  return program;
}

TEST(InterpretProperty, NestsComputeWhatTheirExpressionsMean) {
  int programs = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    RandomExpr random(seed);
    std::int64_t points = 1;
    for (const Expr& v : random.variables()) points *= extent(random.ranges().at(v.get()));
    if (points > 2000) continue;
    ++programs;
    const Expr condition = random.condition(1), e = random.index(4);
    const Buffer out = make_buffer("out", kIndex, {points});
    std::vector<Tensor> params{make_tensor(out)};
    interpret(nest_of(random, out, condition, e), params);
    Environment at;
    for (const Expr& v : random.variables()) at[v.get()] = random.ranges().at(v.get()).min;
    for (std::int64_t point = 0; point < points; ++point) {
      std::int64_t rest = point;
      for (std::size_t i = random.variables().size(); i > 0; --i) {
        const Expr& v = random.variables()[i - 1];
        const Interval range = random.ranges().at(v.get());
        at[v.get()] = range.min + rest % extent(range);
        rest /= extent(range);
      }
      const std::int64_t expected = evaluate(condition, at) != 0 ? evaluate(e, at) : 7;
      ASSERT_EQ(get(params[0], point), static_cast<double>(expected)) << print(condition) << "\n"
                                                                      << print(e);
    }
  }
  EXPECT_GT(programs, 300);
}

}  // namespace
}  // namespace hone::ir
