#include "ir/parse_expr.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "ir/print.h"

namespace hone::ir {
namespace {

// Variables x, y, z are indices, n is an int32; buffers A (float32), H (float16), Q (int8).
class ParseExpr : public testing::Test {
 protected:
  Expr parse(const std::string& text) {
    Lexer lexer(text);
    Expr e = parse_expr(lexer, scope_);
    if (lexer.peek().kind != Token::Kind::End) lexer.fail("expected the end");
    return e;
  }
  std::string reprinted(const std::string& text) { return print(parse(text)); }
  std::string error_of(const std::string& text) {
    try {
      parse(text);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }

  std::map<std::string, Expr, std::less<>> variables_{{"x", variable("x")},
                                                      {"y", variable("y")},
                                                      {"z.0@", variable("z.0@")},
                                                      {"n", variable("n", Type{Scalar::I32, 1})}};
  std::map<std::string, Buffer, std::less<>> buffers_{
      {"A", make_buffer("A", kF32, {4, 4})},
      {"H", make_buffer("H", Type{Scalar::F16, 1}, {4})},
      {"Q", make_buffer("Q", Type{Scalar::I8, 1}, {})}};
  ExprScope scope_{[this](std::string_view name) {
                     const auto found = variables_.find(name);
                     return found == variables_.end() ? std::nullopt : std::optional(found->second);
                   },
                   [this](std::string_view name) {
                     const auto found = buffers_.find(name);
                     return found == buffers_.end() ? nullptr : found->second;
                   }};
};

TEST_F(ParseExpr, GivesBackTvmText) {
  for (const char* text : {
           "((x*4) + y)",
           "(x - 1)",
           "(x % 3)",
           "floormod(floordiv(x, 16), 16)",
           "tir.if_then_else((((x >= 1) && (x < 65)) || !(y != 3)), A[x, (y - 1)], 0f)",
           "select((floormod(x, 6) == 5), 1f, 0.5f)",
           "(A[x, y]/float32(max((min(x, 5) + 1), 1)))",
           "max(tir.reinterpret(tir.shift_left((int32(tir.floor((A[x, 0]*1.4427f))) + 127), 23)), "
           "-3.40282e+38f)",
           "(tir.exp((A[0, 0] - 1e-05f))*tir.pow(A[0, 1], 2f))",
           "(bool)1",
           "(H[x] + 1.5h)",
           "((float64)1.5*(float64)-0.1)",
           "(Q[] + (int8)-3)",
           "(n + 7)",
           "((int32)3 + (int32)4)",
           "(uint64)18446744073709551615",
           "(float32)-inf",
           "(bfloat16)0.5",
           "tir.reinterpret(A[x, y], uint32)",
           "(A[x, ramp(y, 1, 8)]*broadcast(2f, 8))",
           "-9223372036854775808",
           "(z.0@ + x)",
       }) {
    EXPECT_EQ(reprinted(text), text);
  }
}

TEST_F(ParseExpr, BindsLikeCWithoutBrackets) {
  EXPECT_EQ(reprinted("x*4 + y - 1"), "(((x*4) + y) - 1)");
  EXPECT_EQ(reprinted("x < 3 && y + 1 >= 2 || x == y"), "(((x < 3) && ((y + 1) >= 2)) || (x == y))");
}

TEST_F(ParseExpr, LiteralsTakeTheTypeOfTheirPartner) {
  EXPECT_EQ(parse("n + 7").type(), (Type{Scalar::I32, 1}));
  EXPECT_EQ(parse("Q[] + 7").type(), (Type{Scalar::I8, 1}));
  EXPECT_EQ(parse("7 + x").type(), kIndex);
  EXPECT_EQ(parse("1.5").type(), (Type{Scalar::F64, 1}));
}

TEST_F(ParseExpr, FloatsComeBackWithTheirBits) {
  const float awkward[] = {0.1F, 1.0F / 3, 3.4028235e38F, 1e-45F, 16777216.0F, 123456789.0F, -0.0F};
  for (const float value : awkward) {
    const Expr literal = float_imm(value);
    EXPECT_TRUE(equal(parse(print(literal)), literal)) << print(literal);
  }
  EXPECT_EQ(print(float_imm(0.1)), "0.1f");
  EXPECT_EQ(print(float_imm(100)), "100f");
}

TEST_F(ParseExpr, SaysWhereTheMistakeIs) {
  EXPECT_EQ(error_of("(x + q)"), "line 1, column 6: no such variable, found `q`");
  EXPECT_EQ(error_of("x +\n  B[1]"), "line 2, column 3: no such buffer, found `B`");
  EXPECT_EQ(error_of("(x + 1"), "line 1, column 7: expected `)`, found the end of the text");
}

TEST_F(ParseExpr, RefusesJunk) {
  for (const char* text : {"",
                           "(",
                           "x +",
                           "1f + x",
                           "tir.exp(1f, 2f)",
                           "tir.nothing(x)",
                           "select(x, 1, 2)",
                           "!x",
                           "x && y",
                           "ramp(x, 1, 1)",
                           "ramp(x, 1, 99999999)",
                           "broadcast(ramp(x, 1, 4), 4)",
                           "A[1f, x]",
                           "1.2.3f",
                           "1e",
                           "99999999999999999999",
                           "(int8)200",
                           "(float32)abc",
                           "float32x4(x)",
                           "tir.reinterpret(x, int8)",
                           "-x",
                           "x $ y",
                           "\xff\xfe",
                           "max(x)",
                           "float32()",
                           "()"}) {
    EXPECT_NE(error_of(text), "no error") << text;
  }
}

TEST_F(ParseExpr, ALongChainOfOperatorsIsNestingToo) {
  std::string sum = "x";
  for (int i = 0; i < 300; ++i) sum += " + x";
  EXPECT_NO_THROW(parse(sum));
  for (int i = 0; i < 20'000; ++i) sum += " + x";
  EXPECT_NE(error_of(sum).find("nested too deeply"), std::string::npos);
  // Brackets around each part of a chain: deep to the left as well.
  std::string brackets = "x";
  for (int i = 0; i < 30; ++i)
    brackets = "(" + brackets + " + x + x + x + x + x + x + x + x + x + x + x + x + x + x + x)";
  EXPECT_NE(error_of(brackets).find("nested too deeply"), std::string::npos);
}

TEST_F(ParseExpr, RefusesNestingThatWouldExhaustTheStack) {
  EXPECT_NE(error_of(std::string(100000, '(')), "no error");
  EXPECT_NE(error_of(std::string(100000, '!')), "no error");
  std::string chain = "x";
  for (int i = 0; i < 100; ++i) chain = fmt::format("select((x == {}), 1, {})", i, chain);
  EXPECT_EQ(reprinted(chain), chain);
}

}  // namespace
}  // namespace hone::ir
