// Random index arithmetic, where every short cut for divisions and every hoisting must keep the value.
#include "../ir/random_expr.h"
#include "run.h"

namespace hone::codegen {
namespace {

constexpr int kExprs = 12;

// Stores random expressions of the variables at every point of a small box of their ranges.
ir::Program index_program(unsigned seed) {
  ir::RandomExpr random(seed);
  constexpr std::int64_t kPoints = 3;  // of each variable
  const ir::Buffer out = ir::make_buffer("out", ir::kIndex, {81, kExprs});
  const ir::Buffer flags = ir::make_buffer("flags", ir::kBool, {81, kExprs});
  ir::Program program{"index" + std::to_string(seed), {out, flags}, {}};
  ir::ProgramWriter writer(program);
  std::vector<std::int32_t> open;
  ir::Expr row = 0;
  for (const ir::Expr& variable : random.variables()) {
    const ir::Interval range = random.ranges().at(variable.get());
    const std::int64_t extent = std::min(kPoints, range.max - range.min + 1);
    open.push_back(writer.open(ir::For{variable, range.min, extent}));
    row = row * kPoints + (variable - range.min);
  }
  for (int i = 0; i < kExprs; ++i) {
    writer.store(out, {row, i}, random.index(4));
    writer.store(flags, {row, i}, random.condition(3));
  }
  while (!open.empty()) {
    writer.close(open.back());
    open.pop_back();
  }
  return program;
}

TEST(Index, RandomArithmeticAnswersAsInterpreted) {
  const target::Target target = target::host();
  for (unsigned seed = 0; seed < 25; ++seed) {
    const ir::Program program = index_program(seed);
    expect_as_interpreted(program, build_llvm(program, target));
  }
}

TEST(Index, RandomArithmeticAnswersAsInterpretedFromC) {
  const target::Target target = target::host();
  for (unsigned seed = 100; seed < 103; ++seed) {
    const ir::Program program = index_program(seed);
    expect_as_interpreted(program, build_c(program, target));
  }
}

}  // namespace
}  // namespace hone::codegen
