// Thread loops: what threads share, where they wait, and what they must not do at the same time.
#include <gtest/gtest.h>

#include "base/error.h"
#include "ir/interpret.h"
#include "ir/parse.h"

namespace hone::ir {
namespace {

using Numbers = std::vector<double>;

Numbers run(const std::string& text) {
  const Program program = parse_program(text);
  std::vector<Tensor> params;
  for (const Buffer& buffer : program.params) {
    Tensor& t = params.emplace_back(make_tensor(buffer));
    for (std::int64_t i = 0; i < span_elements(*buffer); ++i) set(t, i, static_cast<double>(i));
  }
  interpret(program, params);
  Numbers result;
  for (std::int64_t i = 0; i < span_elements(*program.params.back()); ++i)
    result.push_back(get(params.back(), i));
  return result;
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

std::string reversal(const std::string& barrier) {
  return "program reverse(A: float32[8], B: float32[8])\n"
         "  blockIdx.x b (0, 2)\n"
         "    threadIdx.x t (0, 4)\n"
         "      alloc S: float32[4] shared\n"
         "        S[t] = A[((b*4) + t)]\n" +
         barrier + "        B[((b*4) + t)] = S[(3 - t)]\n";
}

TEST(InterpretThreads, SeeEachOthersWritesAfterABarrier) {
  EXPECT_EQ(run(reversal("        barrier shared\n")), (Numbers{3, 2, 1, 0, 7, 6, 5, 4}));
}

TEST(InterpretThreads, RaceWithoutABarrier) {
  EXPECT_NE(failure_of(reversal("")), "no failure");
  expect_failure(
      "program p(A: float32[8])\n"
      "  threadIdx.x t (0, 4)\n"
      "    A[0] = float32(t)\n",
      "a race: writes");
  expect_failure(
      "program p(A: float32[8])\n"
      "  threadIdx.x t (0, 4)\n"
      "    A[(t + 4)] = 1f\n"
      "    A[t] = A[4]\n",
      "a race: reads");
}

TEST(InterpretThreads, WritingAfterReadingNeedsABarrierToo) {
  const std::string rotate =
      "program p(A: float32[4])\n"
      "  threadIdx.x t (0, 4)\n"
      "    let x: float32 = A[floormod((t + 1), 4)]\n";
  EXPECT_EQ(run(rotate + "      barrier shared\n      A[t] = x\n"), (Numbers{1, 2, 3, 0}));
  expect_failure(rotate + "      A[t] = x\n", "a race");
}

TEST(InterpretThreads, MustAllReachABarrier) {
  expect_failure(
      "program p(A: float32[4])\n"
      "  threadIdx.x t (0, 4)\n"
      "    if (t < 2)\n"
      "      barrier shared\n",
      "statement 2 when t = 0: not all threads of the block reach this barrier");
  expect_failure(
      "program p(A: float32[4])\n"
      "  threadIdx.x t (0, 4)\n"
      "    if (t < 2)\n"
      "      barrier shared\n"
      "    else\n"
      "      barrier shared\n",
      "not all threads");
}

TEST(InterpretThreads, InnerThreadLoopsTakeTheThreadsOwnIteration) {
  // Cooperative fetching: 6 elements by 4 threads, then every thread adds all of them up.
  EXPECT_EQ(run("program p(A: float32[6], B: float32[4])\n"
                "  threadIdx.x t (0, 4)\n"
                "    alloc S: float32[6] shared\n"
                "      for o (0, 2)\n"
                "        threadIdx.x f (0, 4)\n"
                "          if (((o*4) + f) < 6)\n"
                "            S[((o*4) + f)] = A[((o*4) + f)]\n"
                "      barrier shared\n"
                "      alloc sum: float32[1] local\n"
                "        sum[0] = 0f\n"
                "        for k (0, 6)\n"
                "          sum[0] = (sum[0] + S[k])\n"
                "        B[t] = (sum[0] + float32(t))\n"),
            (Numbers{15, 16, 17, 18}));
}

TEST(InterpretThreads, SmallerThreadLoopsLeaveThreadsIdle) {
  EXPECT_EQ(run("program p(A: float32[4])\n"
                "  blockIdx.x b (0, 1)\n"
                "    threadIdx.x t (0, 4)\n"
                "      A[t] = 10f\n"
                "    barrier shared\n"
                "    threadIdx.x u (0, 2)\n"
                "      A[u] = (A[(u + 2)] + float32(u))\n"),
            (Numbers{10, 11, 10, 10}));
}

TEST(InterpretThreads, VthreadsBelongToOneThread) {
  // Both vthreads fetch the same element of shared memory: no race, they are one thread.
  EXPECT_EQ(run("program p(A: float32[4], B: float32[8])\n"
                "  vthread v (0, 2)\n"
                "    threadIdx.x t (0, 4)\n"
                "      alloc S: float32[4] shared\n"
                "        S[t] = A[t]\n"
                "        barrier shared\n"
                "        B[((v*4) + t)] = (S[(3 - t)] + float32((v*10)))\n"),
            (Numbers{3, 2, 1, 0, 13, 12, 11, 10}));
}

TEST(InterpretThreads, AllDimensionsAreNumbered) {
  EXPECT_EQ(
      run("program p(A: float32[2, 2, 2, 2])\n"
          "  blockIdx.y by (0, 2)\n"
          "    blockIdx.x bx (0, 2)\n"
          "      threadIdx.y ty (0, 2)\n"
          "        threadIdx.x tx (0, 2)\n"
          "          A[by, bx, ty, tx] = float32(((((by*1000) + (bx*100)) + (ty*10)) + tx))\n"),
      (Numbers{0, 1, 10, 11, 100, 101, 110, 111, 1000, 1001, 1010, 1011, 1100, 1101, 1110, 1111}));
}

TEST(InterpretThreads, SharedMemoryIsNewInEveryBlock) {
  expect_failure(
      "program p(A: float32[2])\n"
      "  blockIdx.x b (0, 2)\n"
      "    alloc S: float32[1] shared\n"
      "      threadIdx.x t (0, 1)\n"
      "        if (b == 0)\n"
      "          S[0] = 1f\n"
      "        A[b] = S[0]\n",
      "when b = 1, t = 0: a read of memory that was never written");
}

TEST(InterpretThreads, LocalMemoryIsPrivate) {
  EXPECT_EQ(run("program p(A: float32[3])\n"
                "  threadIdx.x t (0, 3)\n"
                "    alloc L: float32[1] local\n"
                "      L[0] = float32(t)\n"
                "      barrier shared\n"
                "      A[t] = (L[0]*2f)\n"),
            (Numbers{0, 2, 4}));
}

TEST(InterpretThreads, BlocksDoNotWaitForEachOther) {
  // A barrier in every iteration of a loop: a tree reduction in each of two blocks.
  EXPECT_EQ(run("program p(A: float32[16], B: float32[2])\n"
                "  blockIdx.x b (0, 2)\n"
                "    alloc S: float32[8] shared\n"
                "      threadIdx.x t (0, 8)\n"
                "        S[t] = A[((b*8) + t)]\n"
                "        for step (0, 3)\n"
                "          barrier shared\n"
                "          if (t < tir.shift_right(4, step))\n"
                "            S[t] = (S[t] + S[(t + tir.shift_right(4, step))])\n"
                "        if (t == 0)\n"
                "          B[b] = S[0]\n"),
            (Numbers{28, 92}));
}

}  // namespace
}  // namespace hone::ir
