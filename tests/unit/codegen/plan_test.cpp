#include "codegen/plan.h"

#include <gtest/gtest.h>

#include "ir/parse.h"

namespace hone::codegen {
namespace {

const ir::BufferNode& buffer(const ir::Program& program, std::string_view name) {
  for (const ir::Stmt& stmt : program.stmts) {
    const auto* alloc = stmt.as<ir::Alloc>();
    if (alloc != nullptr && alloc->buffer->name == name) return *alloc->buffer;
  }
  throw std::logic_error("no such buffer");
}

TEST(Plan, BuffersThatAreNotAliveTogetherShareMemory) {
  const ir::Program program = ir::parse_program(
      "program p(Y: float32[100])\n"
      "  alloc A: float32[100] global\n"
      "    alloc B: float32[100] global\n"
      "      alloc C: float32[100] global\n"
      "        for i (0, 100)\n"
      "          A[i] = 1f\n"
      "        for i (0, 100)\n"
      "          B[i] = A[i]\n"
      "        for i (0, 100)\n"
      "          C[i] = B[i]\n"
      "        for i (0, 100)\n"
      "          Y[i] = C[i]\n");
  const MemoryPlan plan = plan_memory(program);
  const auto &a = buffer(program, "A"), &b = buffer(program, "B"), &c = buffer(program, "C");
  EXPECT_EQ(plan.scratch_bytes, 2 * 448);
  EXPECT_TRUE(plan.may_overlap(a, c));
  EXPECT_FALSE(plan.may_overlap(a, b));
  EXPECT_FALSE(plan.may_overlap(b, c));
  EXPECT_FALSE(plan.may_overlap(a, *program.params[0]));
}

TEST(Plan, ALoopAroundTheUsesKeepsABufferAlive) {
  const ir::Program program = ir::parse_program(
      "program p(Y: float32[100])\n"
      "  alloc A: float32[100] global\n"
      "    alloc B: float32[100] global\n"
      "      for round (0, 2)\n"
      "        for i (0, 100)\n"
      "          A[i] = 1f\n"
      "        for i (0, 100)\n"
      "          B[i] = 2f\n"
      "      for i (0, 100)\n"
      "        Y[i] = B[i]\n");
  const MemoryPlan plan = plan_memory(program);
  EXPECT_FALSE(plan.may_overlap(buffer(program, "A"), buffer(program, "B")));
}

TEST(Plan, PlacesBuffersByScopeSizeAndThread) {
  const ir::Program program = ir::parse_program(
      "program p(Y: float32[8])\n"
      "  alloc shared: float32[4] global\n"
      "    parallel i (0, 8)\n"
      "      alloc small: float32[64] global\n"
      "        alloc large: float32[5000] global\n"
      "          alloc acc: float32x8[2] register\n"
      "            small[0] = 1f\n"
      "            large[0] = small[0]\n"
      "            acc[0] = broadcast(0f, 8)\n"
      "            Y[i] = large[0]\n"
      "    parallel i (0, 8)\n"
      "      alloc other: float32[6000] global\n"
      "        other[0] = 1f\n"
      "        Y[i] = other[0]\n");
  const MemoryPlan plan = plan_memory(program);
  const auto storage = [&](std::string_view name) {
    return plan.placements.at(&buffer(program, name)).storage;
  };
  EXPECT_EQ(storage("shared"), Storage::Shared);
  EXPECT_EQ(storage("small"), Storage::Stack);
  EXPECT_EQ(storage("large"), Storage::Thread);
  EXPECT_EQ(storage("other"), Storage::Thread);
  EXPECT_EQ(storage("acc"), Storage::Registers);
  EXPECT_EQ(plan.scratch_bytes, 64);
  EXPECT_EQ(plan.thread_scratch_bytes, 24000);  // the two loops use the same memory
}

TEST(Plan, TheStackHoldsOnlySoMuch) {
  std::string text = "program p(Y: float32[8])\n  for i (0, 8)\n", indent = "    ";
  for (int n = 0; n < 6; ++n, indent += "  ")
    text += indent + "alloc B" + std::to_string(n) + ": float32[4096] local\n";
  for (int n = 0; n < 6; ++n) text += indent + "B" + std::to_string(n) + "[0] = 1f\n";
  const ir::Program program = ir::parse_program(text);
  const MemoryPlan plan = plan_memory(program);
  int on_stack = 0;
  for (const auto& [buffer, placement] : plan.placements)
    on_stack += placement.storage == Storage::Stack ? 1 : 0;
  EXPECT_EQ(on_stack, 4);
}

}  // namespace
}  // namespace hone::codegen
