#include "task/text.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "task/catalogue.h"
#include "task/key.h"

namespace hone::task {
namespace {

std::string error_of(const std::string& text, const ParseContext& context = {}) {
  try {
    parse(text, context);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

void expect_round_trip(const std::string& text) {
  const Task task = parse(text);
  EXPECT_EQ(print(task), text);
  EXPECT_EQ(print(parse(print(task), context_of(task))), text);
}

const std::string kMatmul =
    "A = PLACEHOLDER [4, 8]\n"
    "B = PLACEHOLDER [8, 2]\n"
    "C(i, j) += (A[i, k]*B[k, j])\n";

TEST(Text, PrintsWhatItParsed) {
  expect_round_trip(kMatmul);
  expect_round_trip("A = PLACEHOLDER [4]\nc() = 0.5f\nB(i) = max((A[i]*c[]), 0f)\n");
  expect_round_trip("A = PLACEHOLDER [4, 8]\nB(i) max= A[i, k]\n");
  expect_round_trip("A = PLACEHOLDER [4, 8]\nB(i) min= A[i, k]\n");
  expect_round_trip("A = PLACEHOLDER [4, 8]\nB(i) prod= A[i, k]\n");
}

TEST(Text, KeepsTypesAndStrides) {
  expect_round_trip("A = PLACEHOLDER [4] float16\nB(i) = (A[i]*2h)\n");
  expect_round_trip(
      "A = PLACEHOLDER [4, 8] int8\nB = PLACEHOLDER [8, 2] int8\n"
      "C(i, j) += (int32(A[i, k])*int32(B[k, j]))\n");
  expect_round_trip(
      "A = PLACEHOLDER [4, 8] bfloat16 strides [16, 1]\nB(i, j) strides [1, 4] = A[i, j]\n");
  const Task task = parse("A = PLACEHOLDER [4] float16\nB(i) = float32(A[i])\n");
  EXPECT_EQ(task.ops[0].output()->type.scalar, ir::Scalar::F16);
  EXPECT_EQ(task.ops[1].output()->type, ir::kF32);
}

TEST(Text, PrintWholeKeepsWhatSchedulesDependOn) {
  for (const char* op :
       {"conv2d:n=1,ci=8,hw=14,co=16,k=3,s=2,p=1,layout=nhwc+bias+relu",
        "matmul:m=12,n=8,k=16+bias+gelu", "winograd:n=1,ci=8,hw=8,co=8,p=1", "softmax:rows=4,cols=8"}) {
    const Task task = from_op(op);
    const Task read = parse(print_whole(task));
    EXPECT_EQ(print_whole(read), print_whole(task)) << op;
    EXPECT_EQ(tvm_key(read), tvm_key(task)) << op;
  }
  const Task task = from_op("matmul:m=12,n=8,k=16");
  EXPECT_NE(print_whole(task).find("# layout_free"), std::string::npos);
  EXPECT_EQ(error_of(kMatmul + "# layout_free 2 7\n"), "there is no op 2 that reads a placeholder 7");
  EXPECT_EQ(error_of(kMatmul + "# op C size 4\n"), "`# op C size 4` says nothing of a task");
}

TEST(Text, PartsOfAConcatenationAreReadInTheirPlaces) {
  const std::string text =
      "A = PLACEHOLDER [4, 64]\nB = PLACEHOLDER [4, 32]\n"
      "C(i, j) = tir.if_then_else((j < 64), A[i, j], B[i, (j - 64)])\n";
  const Task task = parse(text + "# op A shape 4 64\n# op B shape 4 32\n# op C shape 4 96\n");
  EXPECT_EQ(task.ops.back().axes[1].extent, 96);
  EXPECT_EQ(print(task), text);
}

TEST(Text, ArgMaxHasTwoOutputsThatCanBeRead) {
  const std::string text =
      "A = PLACEHOLDER [4, 8]\n"
      "best(i).v0 select(((lhs_1 > rhs_1) || ((lhs_1 == rhs_1) && (lhs_0 < rhs_0))), lhs_0, rhs_0)= "
      "(k,A[i, k])\n"
      "best(i).v1 select((lhs_1 > rhs_1), lhs_1, rhs_1)= (k,A[i, k])\n"
      "out(i) = (best.v1[i]*2f)\n";
  expect_round_trip(text);
  const Task task = parse(text);
  EXPECT_EQ(task.ops[1].reducer, Reducer::ArgMax);
  EXPECT_EQ(task.ops[1].outputs[0]->type, ir::kIndex);
  EXPECT_EQ(task.ops[1].outputs[1]->type, ir::kF32);
  EXPECT_NE(error_of(text.substr(0, text.find("best(i).v1"))), "");
}

TEST(Text, NumbersKeepTheirDigitsUnlessPrintedAsTvmDoes) {
  const Task task = parse("A = PLACEHOLDER [4]\nB(i) = (A[i]*0.70710677f)\n");
  EXPECT_EQ(print(task), "A = PLACEHOLDER [4]\nB(i) = (A[i]*0.70710677f)\n");
  EXPECT_EQ(print_as_tvm(task), "A = PLACEHOLDER [4]\nB(i) = (A[i]*0.707107f)\n");
}

TEST(Text, EveryCatalogueExampleComesBack) {
  for (const OperatorHelp& help : catalogue()) {
    SCOPED_TRACE(help.example);
    const Task task = from_op(help.example);
    const Task again = parse(print(task), context_of(task));
    EXPECT_EQ(print(again), print(task));
    EXPECT_EQ(canonical_key(again), canonical_key(task));
  }
}

// The op that reads `reader`'s first or second operand, by position.
int operand(const Task& task, std::size_t reader, std::size_t position) {
  return task.producer(reads_of(task.ops[reader]).at(position));
}

TEST(Text, RepeatedNamesAreReadInTheOrderPrinted) {
  const Task task = parse(
      "p = PLACEHOLDER [4, 8]\np = PLACEHOLDER [2, 8]\nC(i, j) += (p[i, k]*p[j, k])\n"
      "p = PLACEHOLDER [4, 2]\nT(i, j) = (C[i, j] + p[i, j])\n"
      "p = PLACEHOLDER [4, 2]\nT(i, j) = (T[i, j] + p[i, j])\nR(i, j) = max(T[i, j], 0f)\n");
  EXPECT_EQ(operand(task, 2, 0), 0);
  EXPECT_EQ(operand(task, 2, 1), 1);
  EXPECT_EQ(operand(task, 4, 1), 3);
  EXPECT_EQ(operand(task, 6, 0), 4);
  EXPECT_EQ(operand(task, 6, 1), 5);
  EXPECT_EQ(operand(task, 7, 0), 6);
}

TEST(Text, HardSwishMultipliesTheValueThatEnteredItsGate) {
  const Task task = parse(
      "x = PLACEHOLDER [4]\nb = PLACEHOLDER [4]\nT_add(i) = (x[i] + b[i])\n"
      "const() = 3f\nT_add(i) = (T_add[i] + const[])\nclip(i) = max(min(T_add[i], 6f), 0f)\n"
      "const() = 6f\nT_divide(i) = (clip[i]/const[])\nT_multiply(i) = (T_add[i]*T_divide[i])\n");
  EXPECT_EQ(operand(task, 4, 0), 2);
  EXPECT_EQ(operand(task, 5, 0), 4);
  EXPECT_EQ(operand(task, 7, 1), 6);
  EXPECT_EQ(operand(task, 8, 0), 2);
}

TEST(Text, ASecondReadOfANameMeansTheSameOp) {
  const Task task =
      parse("x = PLACEHOLDER [4]\nT(i) = (x[i] + 1f)\nT(i) = (T[i]*2f)\nR(i) = (T[i]*tir.erf(T[i]))\n");
  EXPECT_EQ(reads_of(task.ops[3]).size(), 1U);
  EXPECT_EQ(operand(task, 3, 0), 2);
}

TEST(Text, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(error_of(""), "a task ends with a computed op");
  EXPECT_EQ(error_of("A = PLACEHOLDER [4]\n"), "a task ends with a computed op");
  EXPECT_EQ(error_of("A = PLACEHOLDER [4]\nX = PLACEHOLDER [4]\nB(i) = A[i]\n"),
            "nobody reads the placeholder X");
  const std::string a = "A = PLACEHOLDER [4]\n";
  EXPECT_EQ(error_of(a + "B(i) = X[i]\n"), "line 2, column 8: no such buffer, found `X`");
  EXPECT_EQ(error_of(a + "B(i) = A[k]\n"), "line 2, column 10: no such variable, found `k`");
  EXPECT_EQ(error_of(a + "B(i) ==A[i]\n"),
            "line 2, column 6: expected `=`, `+=`, `max=`, `min=` or `prod=`, found `==`");
  EXPECT_EQ(error_of(a + "B(i) = A[i, i]\n"),
            "line 2, column 8: a tensor of 1 dimensions is read with 2 indices, found `A`");
  EXPECT_EQ(error_of(a + "B(i, i) = A[i]\n"),
            "line 2, column 6: the axes of an op have different names, found `i`");
  EXPECT_EQ(error_of(a + "B(i) = A[i] A\n"),
            "line 2, column 13: expected the end of the line, found `A`");
  EXPECT_EQ(error_of(a + "B(i) += A[i]\n"),
            "line 2, column 13: expected a body with a reduce axis, found the end of the text");
  EXPECT_EQ(error_of("A = PLACEHOLDER [0]\nB(i) = A[i]\n"),
            "line 1, column 18: expected a size that fits into memory, found `0`");
  EXPECT_EQ(error_of("A = PLACEHOLDER [4] float99\nB(i) = A[i]\n"),
            "line 1, column 21: expected the type of an element, found `float99`");
  EXPECT_EQ(error_of("A = PLACEHOLDER [4] strides [4, 1]\nB(i) = A[i]\n"),
            "line 1, column 35: expected 1 strides before this, found the end of the text");
}

TEST(Text, ContextAndKeyMustFitTheText) {
  EXPECT_EQ(error_of(kMatmul, {"", {{"A", {4, 8}, {}}}}), "the text has 3 ops, the context 1");
  EXPECT_NE(error_of(kMatmul, {"", {{"A", {4, 9}, {}}}}).find("another shape"), std::string::npos);
  EXPECT_NE(error_of(kMatmul, {"", {{"X", {4, 8}, {}}}}).find("expected the op X"), std::string::npos);
  const std::string digest = R"(["0123456789abcdef0123456789abcdef", )";
  EXPECT_EQ(error_of(kMatmul, {digest + "[4, 8], [8, 2], [4, 2]]", {}}), "");
  EXPECT_EQ(error_of(kMatmul, {digest + "[4, 2]]", {}}),
            "the workload key has other inputs than the text");
  EXPECT_EQ(error_of(kMatmul, {digest + "[4, 8], [8, 2], [2, 4]]", {}}),
            "C reads dimension 1 of B at 0 to 3, but it has 2 elements");
}

TEST(Text, ACutBodyThatNobodyKnowsIsRefused) {
  const std::string line =
      "B(i) = (A[i] + " + std::string(150, 'x') + " ..(OMITTED).. " + std::string(128, 'x');
  EXPECT_NE(error_of("A = PLACEHOLDER [4]\n" + line + "\n").find("line 2: the body of B is cut"),
            std::string::npos);
}

TEST(Text, JunkNeitherCrashesNorTakesLong) {
  EXPECT_NE(error_of(std::string(100, '(')), "");
  EXPECT_NE(error_of("A = PLACEHOLDER [4]\nB(i) = " + std::string(8000, '(')), "");
  std::string sum = "A = PLACEHOLDER [4]\nB(i) = A[i]";
  for (int i = 0; i < 5000; ++i) sum += "+1f";
  EXPECT_NE(error_of(sum), "");
  EXPECT_NE(error_of("A = PLACEHOLDER [1099511627776, 1099511627776]\nB(i, j) = A[i, j]\n"), "");
  EXPECT_NE(error_of("A = PLACEHOLDER [99999999999999999999]\nB(i) = A[i]\n"), "");
  EXPECT_NE(error_of(std::string(100'000, 'x')), "");
  EXPECT_NE(error_of("A(i) = A[i]\n"), "");
  EXPECT_NE(error_of("A = PLACEHOLDER [4]\nB(i).v1 = A[i]\n"), "");
  EXPECT_NE(error_of(" ..(OMITTED).. "), "");
  EXPECT_NE(error_of(std::string("A = PLACEHOLDER [4]\nB(i) = A[i]\0", 37)), "");
}

}  // namespace
}  // namespace hone::task
