#include "ir/program.h"

#include <gtest/gtest.h>

#include "ir/parse.h"
#include "ir/print.h"

namespace hone::ir {
namespace {

TEST(Program, MapExprsReachesEveryExpression) {
  Program program = parse_program(
      "program p(A: float32[8], B: float32[8])\n"
      "  for i (0, 2)\n"
      "    if (i < 2)\n"
      "      let x: float32 = A[2]\n"
      "        B[2] = (x + A[i])\n"
      "    call prefetch(2) reads A[i:2] writes B[2:i]\n");
  for (Stmt& stmt : program.stmts) {
    stmt.kind = map_exprs(stmt.kind, [](const Expr& e) {
      return rewrite(e, [](const Expr& part) { return is_int(part, 2) ? Expr(5) : part; });
    });
  }
  EXPECT_EQ(print(program),
            "program p(A: float32[8], B: float32[8])\n"
            "  for i (0, 5)\n"
            "    if (i < 5)\n"
            "      let x: float32 = A[5]\n"
            "        B[5] = (x + A[i])\n"
            "    call prefetch(5) reads A[i:5] writes B[5:i]\n");
}

TEST(Program, ThreadLoopsAreThoseOfAGpu) {
  EXPECT_TRUE(is_thread_loop(LoopKind::Vthread));
  EXPECT_TRUE(is_thread_loop(LoopKind::BlockX));
  EXPECT_TRUE(is_thread_loop(LoopKind::ThreadZ));
  EXPECT_FALSE(is_thread_loop(LoopKind::Parallel));
  EXPECT_FALSE(is_thread_loop(LoopKind::Tensorized));
  EXPECT_TRUE(is_block_loop(LoopKind::BlockY));
  EXPECT_FALSE(is_block_loop(LoopKind::ThreadY));
}

TEST(Buffer, StridesAndSpan) {
  EXPECT_EQ(strides_of(*make_buffer("A", kF32, {2, 3, 4})), (std::vector<std::int64_t>{12, 4, 1}));
  EXPECT_EQ(span_elements(*make_buffer("A", kF32, {2, 3, 4})), 24);
  EXPECT_EQ(span_elements(*make_buffer("A", kF32, {2, 3}, Scope::Global, {10, 2})), 15);
  EXPECT_EQ(span_elements(*make_buffer("A", kF32, {})), 1);
}

TEST(Type, NamesReadBack) {
  for (int scalar = 0; scalar <= static_cast<int>(Scalar::F64); ++scalar) {
    for (const int lanes : {1, 16}) {
      const Type type{static_cast<Scalar>(scalar), lanes};
      EXPECT_EQ(parse_type(to_string(type)), type);
    }
  }
  for (const char* text :
       {"", "int", "int9", "float32x", "float32x0", "float32x-4", "float32x4x", "x4"}) {
    EXPECT_EQ(parse_type(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace hone::ir
