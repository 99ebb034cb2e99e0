#include "ir/parse.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "ir/print.h"

namespace hone::ir {
namespace {

const std::string kEverything =
    "program all(X: float32[8, 16] strides [32, 1], s: int8[])\n"
    "  blockIdx.x i.0@ (0, 4) auto_unroll 16\n"
    "    alloc tile: float32x8[2] register\n"
    "      alloc X.shared: float32[16] shared\n"
    "        threadIdx.x t (0, 8)\n"
    "          if (t < 3)\n"
    "            let v: float32 = X[i.0@, t]\n"
    "              X.shared[t] = (v + 0.1f)\n"
    "          else\n"
    "            tile[1] = (X[i.0@, ramp(t, 1, 8)]*broadcast(2f, 8))\n"
    "          barrier shared\n"
    "          call prefetch(3) reads X[i.0@:1, 0:16] writes X.shared[0:16]\n"
    "  parallel u (1, floordiv(9, 2))\n"
    "    vectorize i.0@ (0, 4)\n"
    "      unroll v (0, 4)\n"
    "        vthread w (0, 2)\n"
    "          X[u, v] = tir.if_then_else((u >= 2), X[(u - 1), v], 0f)\n"
    "  s[] = (s[] + (int8)1)\n";

std::string error_of(const std::string& text) {
  try {
    parse_program(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParseProgram, ReadsBackWhatPrintWrites) {
  EXPECT_EQ(print(parse_program(kEverything)), kEverything);
}

TEST(ParseProgram, BodiesEndWhereTheIndentationSays) {
  const Program program = parse_program(kEverything);
  ASSERT_EQ(program.stmts.size(), 17U);
  EXPECT_EQ(program.stmts[0].end, 11);
  EXPECT_EQ(program.stmts[4].end, 7);
  EXPECT_TRUE(program.stmts[7].as<Else>());
  EXPECT_EQ(program.stmts[11].end, 16);
  EXPECT_EQ(program.stmts[0].as<For>()->auto_unroll_max_step, 16);
  EXPECT_EQ(program.params[0]->strides, (std::vector<std::int64_t>{32, 1}));
  EXPECT_EQ(program.stmts[1].as<Alloc>()->buffer->scope, Scope::Register);
}

TEST(ParseProgram, SaysWhereTheMistakeIs) {
  EXPECT_EQ(error_of("program p(A: float32[4])\n  A[i] = 1f\n"),
            "line 2, column 5: no such variable, found `i`");
  EXPECT_EQ(error_of("program p(A: float32[4])\n  A[0] = 1f 2f\n"),
            "line 2, column 13: expected the end of the line, found `2f`");
  EXPECT_EQ(error_of("program p(A: float32[4])\n  A[0] = 1f\n    A[1] = 1f\n"),
            "line 3, column 5: the indentation fits no body, found `A`");
  EXPECT_EQ(error_of("program p(A: float32[4], A: float32[4])\n"),
            "line 1, column 26: expected a name that is free, found `A`");
}

TEST(ParseProgram, NamesEndWithTheirBody) {
  EXPECT_NE(error_of("program p(A: float32[4])\n"
                     "  for i (0, 4)\n"
                     "    A[i] = 0f\n"
                     "  A[i] = 1f\n"),
            "no error");
}

TEST(ParseProgram, RefusesJunk) {
  for (const char* text :
       {"", "program", "program p", "program p(", "program p(A)", "program p(A: int9[3])",
        "program p(A: int8[x])", "program p(A: int8[2] strides [1, 1])",
        "program p(A: int8[2] nowhere)", "program p()\nfor i (0, 4)\n", "program p()\n  for i (0)\n",
        "program p()\n  for for (0, 4)\n", "program p()\n  jump i\n",
        "program p()\n  for i (0, 4) auto_unroll -3\n", "program p()\n  let x = 3\n",
        "program p()\n  barrier\n", "program p()\n  call f\n", "program p()\n  call f() reads A[0:1]\n",
        "program p()\n   else\n"}) {
    EXPECT_NE(error_of(text), "no error") << text;
  }
}

// Damaged programs are either refused with a UserError or read as something that prints and reads
// again.
TEST(ParseProgram, SurvivesDamage) {
  std::mt19937 random(7);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = kEverything;
    for (int edits = 1 + static_cast<int>(random() % 3); edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const std::size_t from = random() % kEverything.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          text.erase(at, random() % 20);
          break;
        case 2:
          text.insert(at, kEverything.substr(from, random() % 20));
          break;
        default:
          text[at] = kEverything[from];
      }
    }
    try {
      const std::string once = print(parse_program(text));
      ASSERT_EQ(print(parse_program(once)), once) << text;
      ++accepted;
    } catch (const UserError&) {
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace hone::ir
