#include "codegen/repeated_loads.h"

#include <gtest/gtest.h>

#include "codegen/kernel.h"
#include "ir/parse.h"
#include "target/target.h"

namespace hone::codegen {
namespace {

std::size_t of_first_loop(const char* body) {
  return repeated_loads(
      ir::parse_program(std::string("program p(A: float32[64], B: float32[64], C: float32[64])\n") +
                        body),
      0);
}

TEST(RepeatedLoads, AreThoseOfOnePlaceThatNobodyStores) {
  EXPECT_EQ(of_first_loop("  for i (0, 4)\n"
                          "    C[i] = ((A[0] + A[1]) + (A[0]*B[i]))\n"
                          "    C[(i + 4)] = (A[1]*C[63])\n"),
            2);
}

// Of each iteration `n` elements of A.
std::string llvm_of_loop_with(int n) {
  std::string sum = "B[i]";
  for (int k = 0; k < n; ++k) sum = "(" + sum + " + A[" + std::to_string(k) + "])";
  const std::string text =
      "program p(A: float32[64], B: float32[64], C: float32[64])\n  for i (0, 64)\n    C[i] = " + sum +
      "\n";
  return print_llvm(ir::parse_program(text), target::parse("avx2"));
}

TEST(RepeatedLoads, StayInTheLoopWhenThereAreMoreThanRegisters) {
  EXPECT_EQ(llvm_of_loop_with(16).find("llvm.licm.disable"), std::string::npos);
  EXPECT_NE(llvm_of_loop_with(17).find("llvm.licm.disable"), std::string::npos);
}

TEST(RepeatedLoads, AreTheInnermostLoopsBusiness) {
  EXPECT_EQ(of_first_loop("  for i (0, 4)\n"
                          "    for j (0, 4)\n"
                          "      C[((i*4) + j)] = (A[0]*B[i])\n"),
            0);
}

}  // namespace
}  // namespace hone::codegen
