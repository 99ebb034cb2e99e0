#include "codegen/repeated_loads.h"

#include <gtest/gtest.h>

#include "ir/parse.h"

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

TEST(RepeatedLoads, AreTheInnermostLoopsBusiness) {
  EXPECT_EQ(of_first_loop("  for i (0, 4)\n"
                          "    for j (0, 4)\n"
                          "      C[((i*4) + j)] = (A[0]*B[i])\n"),
            0);
}

}  // namespace
}  // namespace hone::codegen
