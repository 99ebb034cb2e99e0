#include "ir/verify.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "ir/parse.h"

namespace hone::ir {
namespace {

using Problems = std::vector<std::string>;

Problems problems_of(const std::string& body) {
  return verify(parse_program("program p(A: float32[4, 4], B: float32[4])\n" + body));
}

TEST(Verify, AcceptsAWellFormedProgram) {
  EXPECT_EQ(problems_of("  blockIdx.x b (0, 4)\n"
                        "    alloc S: float32[4] shared\n"
                        "      threadIdx.x t (0, 4)\n"
                        "        if (t < 2)\n"
                        "          S[t] = A[b, t]\n"
                        "        else\n"
                        "          S[t] = 0f\n"
                        "        barrier shared\n"
                        "        alloc r: float32x4[2] register\n"
                        "          r[1] = S[ramp(0, 1, 4)]\n"
                        "          A[b, ramp(0, 1, 4)] = r[1]\n"
                        "          let x: float32 = S[t]\n"
                        "            call prefetch() reads A[0:4, 0:4]\n"
                        "            B[t] = x\n"),
            Problems{});
}

TEST(Verify, IndicesHaveTheRankAndTypeOfTheBuffer) {
  EXPECT_EQ(problems_of("  A[0] = 0f\n"), Problems{"statement 0: A has 2 dimensions and 1 indices"});
  EXPECT_EQ(problems_of("  B[0] = A[0, 0, 0]\n"),
            Problems{"statement 0: A has 2 dimensions and 3 indices"});
  EXPECT_EQ(problems_of("  B[int64(1f)] = 0f\n"), Problems{});
}

TEST(Verify, StoredValuesHaveTheBuffersType) {
  EXPECT_EQ(problems_of("  B[0] = 3\n"), Problems{"statement 0: a int64 is stored to B of float32"});
  EXPECT_EQ(problems_of("  B[ramp(0, 1, 4)] = 0f\n"),
            Problems{"statement 0: a float32 is stored to B of float32"});
}

TEST(Verify, RegistersAreIndexedByConstants) {
  EXPECT_EQ(problems_of("  alloc r: float32[2] register\n"
                        "    for i (0, 2)\n"
                        "      r[i] = 0f\n"),
            Problems{"statement 2: r is a register buffer and indexed by no constant"});
  EXPECT_EQ(problems_of("  alloc v: float32x4[2]\n"),
            Problems{"statement 0: v holds vectors but is no register buffer"});
}

TEST(Verify, BarriersAndThreadLoopsStandWhereTheyMay) {
  EXPECT_EQ(problems_of("  barrier shared\n"),
            Problems{"statement 0: a barrier stands outside of thread loops"});
  EXPECT_EQ(problems_of("  threadIdx.x t (0, 4)\n"
                        "    blockIdx.x b (0, 4)\n"),
            Problems{"statement 1: a block loop stands inside a thread loop"});
  EXPECT_EQ(problems_of("  parallel i (0, 4)\n"
                        "    threadIdx.x t (0, i)\n"),
            (Problems{"statement 1: a thread loop runs from 0 to a positive constant",
                      "statement 1: a thread loop stands inside a parallel or vectorised loop"}));
  EXPECT_EQ(problems_of("  threadIdx.x t (0, 4)\n"
                        "    alloc g: float32[4]\n"),
            Problems{"statement 1: global memory is allocated by a thread"});
}

TEST(Verify, AnElseFollowsItsIf) {
  EXPECT_EQ(problems_of("  if (1 < 2)\n"
                        "    B[0] = 0f\n"
                        "  B[1] = 0f\n"
                        "  else\n"),
            Problems{"statement 3: an else does not follow its if"});
}

TEST(Verify, ConditionsAndBoundsHaveTheirTypes) {
  EXPECT_EQ(problems_of("  if 3\n"), Problems{"statement 0: a condition is no bool"});
  EXPECT_EQ(problems_of("  for i (0, 1f)\n"), Problems{"statement 0: an index has another type"});
  EXPECT_EQ(problems_of("  let x: float32 = 3\n"),
            Problems{"statement 0: a let gives a value of another type"});
}

// What no text can say is built by hand.
TEST(Verify, FindsBrokenStructure) {
  const Buffer a = make_buffer("A", kF32, {4});
  const Expr i = variable("i"), f = float_imm(1);
  const auto check_stmts = [&](std::vector<Stmt> stmts) {
    return verify(Program{"p", {a}, std::move(stmts)});
  };
  EXPECT_EQ(check_stmts({{For{i, 0, 4}, 9}}),
            Problems{"statement 0: its body does not end inside the body around it"});
  EXPECT_EQ(check_stmts({{Store{a, {0}, f}, 2}, {Store{a, {0}, f}, 2}}),
            Problems{"statement 0: its body does not end inside the body around it"});
  EXPECT_EQ(check_stmts({{Store{a, {i}, f}, 1}}), Problems{"statement 0: i is not defined here"});
  EXPECT_EQ(check_stmts({{For{i, 0, 4}, 1}, {Store{a, {i}, f}, 2}}),
            Problems{"statement 1: i is not defined here"});
  EXPECT_EQ(check_stmts({{For{i, 0, 4}, 2}, {For{i, 0, 4}, 2}}),
            Problems{"statement 1: i is defined twice"});
  EXPECT_EQ(check_stmts({{Alloc{a}, 1}}), Problems{"statement 0: A is allocated twice"});
  EXPECT_EQ(check_stmts({{Store{make_buffer("B", kF32, {}), {}, f}, 1}}),
            Problems{"statement 0: B is not allocated here"});
  EXPECT_EQ(check_stmts({{Store{a, {0}, make(kF32, Binary{BinaryOp::Add, f, 1})}, 1}}),
            Problems{"statement 0: the types in (1f + 1) do not agree"});
  EXPECT_EQ(check_stmts({{Store{a, {0}, make(kF32, Binary{BinaryOp::Add, f, Expr()})}, 1}}),
            Problems{"statement 0: an operand is missing"});
  EXPECT_EQ(check_stmts({{Alloc{make_buffer("Z", kF32, {0})}, 1}}),
            Problems{"statement 0: Z has a dimension that is not positive or no stride"});
}

TEST(Verify, CheckValidShowsTheProgram) {
  try {
    check_valid(parse_program("program p(B: float32[4])\n  B[0] = 3\n"));
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("  B[0] = 3\n"), std::string::npos);
  }
}

}  // namespace
}  // namespace hone::ir
