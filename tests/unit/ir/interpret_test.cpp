#include "ir/interpret.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/error.h"
#include "ir/arithmetic.h"
#include "ir/parse.h"

namespace hone::ir {
namespace {

using Numbers = std::vector<double>;

Tensor tensor(const Buffer& buffer, const Numbers& values) {
  Tensor result = make_tensor(buffer);
  for (std::size_t i = 0; i < values.size(); ++i) set(result, static_cast<std::int64_t>(i), values[i]);
  return result;
}

Numbers numbers(const Tensor& t) {
  Numbers result;
  const auto size = t.data.size() / static_cast<std::size_t>(size_bytes(t.buffer->type.scalar));
  for (std::size_t i = 0; i < size; ++i) result.push_back(get(t, static_cast<std::int64_t>(i)));
  return result;
}

// Runs a program whose first parameters get these values; gives back the last one.
Numbers run(const std::string& text, const std::vector<Numbers>& inputs = {}) {
  const Program program = parse_program(text);
  std::vector<Tensor> params;
  for (std::size_t i = 0; i < program.params.size(); ++i) {
    params.push_back(tensor(program.params[i], i < inputs.size() ? inputs[i] : Numbers{}));
  }
  interpret(program, params);
  return numbers(params.back());
}

std::string failure_of(const std::string& text) {
  try {
    run(text);
  } catch (const InternalError& error) {
    return error.what();
  }
  return "no failure";
}

void expect_failure(const std::string& text, const std::string& part) {
  EXPECT_NE(failure_of(text).find(part), std::string::npos) << failure_of(text) << "\n" << text;
}

TEST(Interpret, MultipliesMatrices) {
  EXPECT_EQ(run("program matmul(A: float32[2, 3], B: float32[3, 2], C: float32[2, 2])\n"
                "  parallel i (0, 2)\n"
                "    vectorize j (0, 2)\n"
                "      C[i, j] = 0f\n"
                "      for k (0, 3)\n"
                "        C[i, j] = (C[i, j] + (A[i, k]*B[k, j]))\n",
                {{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}}),
            (Numbers{58, 64, 139, 154}));
}

TEST(Interpret, FollowsStridesOfViews) {
  EXPECT_EQ(run("program view(A: float32[2, 2] strides [1, 3], B: float32[4])\n"
                "  for i (0, 2)\n"
                "    for j (0, 2)\n"
                "      B[((i*2) + j)] = A[i, j]\n",
                {{10, 11, 12, 13, 14}}),
            (Numbers{10, 13, 11, 14}));
}

TEST(Interpret, LoopsMayBeginAnywhereAndBeEmpty) {
  EXPECT_EQ(run("program loops(A: float32[6])\n"
                "  for i (2, 3)\n"
                "    for j (0, (i - 3))\n"
                "      A[i] = (A[i] + 1f)\n"
                "    for k (i, 1)\n"
                "      A[k] = (A[k] + 10f)\n"),
            (Numbers{0, 0, 10, 10, 11, 0}));
}

TEST(Interpret, AnElseBehindANestedIfBelongsToTheOuterOne) {
  EXPECT_EQ(run("program p(Y: float32[4])\n"
                "  for i (0, 4)\n"
                "    if (i < 2)\n"
                "      Y[i] = 1f\n"
                "      if (i == 1)\n"
                "        Y[i] = 2f\n"
                "    else\n"
                "      Y[i] = 3f\n"),
            (Numbers{1, 2, 3, 3}));
}

TEST(Interpret, BranchesAndLets) {
  EXPECT_EQ(run("program branches(A: float32[4])\n"
                "  for i (0, 4)\n"
                "    let twice: int64 = (i*2)\n"
                "      if (twice >= 4)\n"
                "        A[i] = float32(twice)\n"
                "      else\n"
                "        let x: float32 = float32((twice + 100))\n"
                "          A[i] = (x*2f)\n"),
            (Numbers{200, 204, 4, 6}));
}

// Every arithmetic operation of every type against the compiler's own.
template <class Native>
void check_arithmetic(Scalar scalar, const Numbers& values) {
  const std::string type = to_string(Type{scalar, 1});
  const auto n = static_cast<std::int64_t>(values.size());
  const std::vector<std::pair<std::string, Native (*)(Native, Native)>> operations = {
      {"(x + y)", [](Native x, Native y) { return static_cast<Native>(x + y); }},
      {"(x - y)", [](Native x, Native y) { return static_cast<Native>(x - y); }},
      {"(x*y)", [](Native x, Native y) { return static_cast<Native>(x * y); }},
      {"(x/y)", [](Native x, Native y) { return static_cast<Native>(x / y); }},
      {"min(x, y)", [](Native x, Native y) { return std::min(x, y); }},
      {"max(x, y)", [](Native x, Native y) { return std::max(x, y); }},
      {"select((x < y), x, y)", [](Native x, Native y) { return x < y ? x : y; }}};
  for (const auto& [expression, expected] : operations) {
    const Numbers got = run(fmt::format("program p(A: {0}[{1}], C: {0}[{1}, {1}])\n"
                                        "  for i (0, {1})\n"
                                        "    for j (0, {1})\n"
                                        "      let x: {0} = A[i]\n"
                                        "        let y: {0} = A[j]\n"
                                        "          C[i, j] = {2}\n",
                                        type, n, expression),
                            {values});
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = 0; j < values.size(); ++j) {
        const auto x = static_cast<Native>(values[i]), y = static_cast<Native>(values[j]);
        ASSERT_EQ(got[i * values.size() + j], static_cast<double>(expected(x, y)))
            << type << " " << expression << " x = " << values[i] << " y = " << values[j];
      }
    }
  }
}

TEST(Interpret, IntegersWrapAndFloatsRoundLikeTheMachine) {
  check_arithmetic<std::int8_t>(Scalar::I8, {-127, -100, -3, -1, 1, 7, 100, 127});
  check_arithmetic<std::uint8_t>(Scalar::U8, {1, 2, 100, 200, 255});
  check_arithmetic<std::int16_t>(Scalar::I16, {-32767, -300, -1, 1, 300, 32767});
  check_arithmetic<std::uint16_t>(Scalar::U16, {1, 255, 3000, 65535});
  check_arithmetic<float>(Scalar::F32, {-1e30, -3.3, 0.1, 1.0 / 3, 1e-20, 16777216, 3e38});
  check_arithmetic<double>(Scalar::F64, {-1e300, -3.3, 0.1, 1.0 / 3, 1e-200, 3e38});
}

TEST(Interpret, WideUnsignedNumbersAreUnsigned) {
  EXPECT_EQ(run("program p(A: uint64[3])\n"
                "  A[0] = ((uint64)18446744073709551615/(uint64)2)\n"
                "  A[1] = max((uint64)18446744073709551615, (uint64)1)\n"
                "  A[2] = uint64(((uint64)18446744073709551615 > (uint64)1))\n"),
            (Numbers{9223372036854775807.0, 18446744073709551615.0, 1}));
}

TEST(Interpret, HalvesRoundAfterEveryOperation) {
  EXPECT_EQ(run("program p(A: float16[2])\n"
                "  A[0] = ((2048h + 1h) + 1h)\n"
                "  A[1] = (60000h + 60000h)\n"),
            (Numbers{2048, std::numeric_limits<double>::infinity()}));
  EXPECT_EQ(run("program p(A: bfloat16[1])\n  A[0] = ((bfloat16)256 + (bfloat16)1)\n"), (Numbers{256}));
}

TEST(Interpret, KnowsTheFunctions) {
  const auto value = [](const std::string& expression) {
    return run("program p(A: float32[1])\n  A[0] = " + expression + "\n")[0];
  };
  const double x = 0.7F;
  EXPECT_FLOAT_EQ(value("tir.exp(0.7f)"), std::exp(x));
  EXPECT_FLOAT_EQ(value("tir.log(0.7f)"), std::log(x));
  EXPECT_FLOAT_EQ(value("tir.erf(0.7f)"), std::erf(x));
  EXPECT_FLOAT_EQ(value("tir.tanh(0.7f)"), std::tanh(x));
  EXPECT_FLOAT_EQ(value("tir.sqrt(0.7f)"), std::sqrt(x));
  EXPECT_FLOAT_EQ(value("tir.rsqrt(0.7f)"), 1 / std::sqrt(x));
  EXPECT_FLOAT_EQ(value("tir.pow(0.7f, 3f)"), std::pow(x, 3));
  EXPECT_FLOAT_EQ(value("tir.sigmoid(0.7f)"), 1 / (1 + std::exp(-x)));
  EXPECT_EQ(value("tir.floor(-0.5f)"), -1);
  EXPECT_EQ(value("tir.ceil(0.5f)"), 1);
  EXPECT_EQ(value("tir.round(2.5f)"), 2);
  EXPECT_EQ(value("tir.fabs(-2.5f)"), 2.5);
  EXPECT_EQ(value("tir.reinterpret(tir.shift_left((int32)127, (int32)23))"), 1);
  EXPECT_EQ(value("float32(tir.shift_right((int8)-8, (int8)1))"), -4);
  EXPECT_EQ(value("tir.fma(0.1f, 0.1f, -0.01f)"), std::fma(0.1F, 0.1F, -0.01F));
  EXPECT_EQ(value("float32(int8(300))"), 44);
  EXPECT_EQ(value("float32(int32(-2.7f))"), -2);
  EXPECT_EQ(value("float32(int8(1000f))"), 127);
}

TEST(Interpret, LazySelectionsProtectWhatTheyDoNotChoose) {
  const std::string body =
      "program pad(X: float32[4], Y: float32[6])\n"
      "  for i (0, 6)\n"
      "    Y[i] = ";
  const std::string arguments = "(((i >= 1) && (i < 5)), X[(i - 1)], 0f)\n";
  EXPECT_EQ(run(body + "tir.if_then_else" + arguments, {{1, 2, 3, 4}}), (Numbers{0, 1, 2, 3, 4, 0}));
  expect_failure(body + "select" + arguments, "index 0 of X is -1, outside of [0, 4)");
}

TEST(Interpret, LazySelectionsByLaneProtectTheirLanes) {
  EXPECT_EQ(run("program pad(X: float32[4], Y: float32[6])\n"
                "  Y[ramp(0, 1, 6)] = tir.if_then_else((ramp(0, 1, 6) < broadcast(4, 6)), "
                "X[ramp(0, 1, 6)], broadcast(9f, 6))\n",
                {{1, 2, 3, 4}}),
            (Numbers{1, 2, 3, 4, 9, 9}));
}

TEST(Interpret, VectorsActOnEveryLane) {
  EXPECT_EQ(run("program v(X: float32[2, 4], Y: float32[2, 4])\n"
                "  alloc r: float32x4[2] register\n"
                "    r[0] = X[0, ramp(0, 1, 4)]\n"
                "    r[1] = X[1, ramp(3, -1, 4)]\n"
                "    Y[0, ramp(0, 1, 4)] = tir.fma(r[0], r[1], broadcast(1f, 4))\n"
                "    Y[1, ramp(0, 1, 4)] = select((r[0] > broadcast(2f, 4)), r[0], float32x4(ramp(10, "
                "10, 4)))\n",
                {{1, 2, 3, 4, 5, 6, 7, 8}}),
            (Numbers{9, 15, 19, 21, 10, 20, 3, 4}));
}

TEST(Interpret, IndicesMustStayInTheirDimension) {
  expect_failure(
      "program p(A: float32[4, 4])\n"
      "  for i (0, 5)\n"
      "    A[0, i] = 0f\n",
      "statement 1 when i = 4: index 1 of A is 4, outside of [0, 4)");
  expect_failure(
      "program p(A: float32[4], B: float32[4])\n"
      "  B[ramp(0, 1, 4)] = A[ramp(1, 1, 4)]\n",
      "index 0 of A is 4");
}

TEST(Interpret, FreshMemoryIsUndefined) {
  expect_failure(
      "program p(A: float32[4])\n"
      "  alloc T: float32[4]\n"
      "    T[0] = 1f\n"
      "    A[0] = T[1]\n",
      "never written");
  expect_failure(
      "program p(A: float32[4])\n"
      "  for i (0, 2)\n"
      "    alloc T: float32[1]\n"
      "      if (i == 0)\n"
      "        T[0] = 1f\n"
      "      A[i] = T[0]\n",
      "statement 4 when i = 1: a read of memory that was never written");
}

TEST(Interpret, DivisionByZeroFailsOnlyWhereItIsReached) {
  const std::string guarded =
      "program p(D: int64[1], A: float32[4])\n"
      "  let d: int64 = D[0]\n"
      "    for i (0, 4)\n"
      "      if (d > 0)\n"
      "        A[i] = float32(floordiv(i, d))\n";
  EXPECT_EQ(run(guarded, {{0}}), (Numbers{0, 0, 0, 0}));
  EXPECT_EQ(run(guarded, {{2}}), (Numbers{0, 0, 1, 1}));
  expect_failure("program p(D: int32[1])\n  D[0] = ((int32)1 % D[0])\n", "division by zero");
}

TEST(Interpret, IntrinsicsAreKnownByName) {
  EXPECT_EQ(run("program p(A: float32[1])\n  call prefetch(0) reads A[0:1]\n"), (Numbers{0}));
  expect_failure("program p(A: float32[1])\n  call teleport()\n", "unknown intrinsic teleport");
}

TEST(Interpret, RefusesFaultyPrograms) {
  expect_failure("program p(A: float32[1])\n  A[0, 0] = 0f\n", "not well formed");
}

TEST(Interpret, TensorsRoundToTheirType) {
  Tensor t = make_tensor(make_buffer("t", Type{Scalar::U8, 1}, {2}));
  set(t, 1, 300);
  EXPECT_EQ(get(t, 1), 255);
  Tensor h = make_tensor(make_buffer("h", Type{Scalar::F16, 1}, {1}));
  set(h, 0, 0.1);
  EXPECT_EQ(get(h, 0), round_to(Scalar::F16, 0.1));
  EXPECT_THROW(get(t, 2), InternalError);
}

}  // namespace
}  // namespace hone::ir
