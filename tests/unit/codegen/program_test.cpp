#include "base/error.h"
#include "ir/parse.h"
#include "ir/verify.h"
#include "programs.h"
#include "run.h"

namespace hone::codegen {
namespace {

class Programs : public testing::TestWithParam<NamedProgram> {};

void check_program(std::string_view text, Build build, std::span<const target::Target> targets) {
  const ir::Program program = ir::parse_program(text.substr(1));
  ir::check_valid(program);
  for (const target::Target& target : targets) {
    SCOPED_TRACE(target.name);
    const Kernel kernel = build(program, target);
    expect_as_interpreted(program, kernel, 1);
    if (kernel.parallel_extent > 0) expect_as_interpreted(program, kernel, 2);
  }
}

TEST_P(Programs, AnswerAsInterpreted) {
  check_program(GetParam().text, build_llvm, runnable_targets());
}
TEST_P(Programs, AnswerAsInterpretedFromC) {
  check_program(GetParam().text, build_c, std::vector{target::host()});
}

INSTANTIATE_TEST_SUITE_P(Small, Programs, testing::ValuesIn(kPrograms),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(Program, NamesOfRegistersInCAreTheirOwn) {
  check_program(R"(
program p(X: float32[2], Y: float32[2])
  alloc T: float32[2] register
    alloc T_1: float32[2]
      T[0] = X[0]
      T[1] = X[1]
      T_1[0] = (T[0] + 1f)
      T_1[1] = (T[1] + 2f)
      Y[0] = (T_1[0]*T[1])
      Y[1] = (T_1[1]*T[0])
)",
                build_c, std::vector{target::host()});
}

TEST(Program, DescribesItsParametersAndMemory) {
  const ir::Program program = ir::parse_program(
      "program p(X: float32[4, 8] strides [16, 1], Y: int8[9])\n"
      "  alloc T: float32[2000] global\n"
      "    parallel i (0, 9)\n"
      "      alloc U: float32[5000] global\n"
      "        U[0] = 1f\n"
      "        T[i] = U[0]\n"
      "        Y[i] = (int8)1\n");
  const Kernel kernel = build_llvm(program, target::host());
  ASSERT_EQ(kernel.parameters.size(), 2u);
  EXPECT_EQ(kernel.parameters[0].strides, (std::vector<std::int64_t>{16, 1}));
  EXPECT_EQ(kernel.parameters[0].size_bytes, (3 * 16 + 7 + 1) * 4);
  EXPECT_FALSE(kernel.parameters[0].is_output);
  EXPECT_TRUE(kernel.parameters[1].is_output);
  EXPECT_EQ(kernel.parallel_extent, 9);
  EXPECT_EQ(kernel.scratch_bytes, 8000);
  EXPECT_EQ(kernel.thread_scratch_bytes, 20032);  // a multiple of 64
}

TEST(Program, RefusesWhatOnlyAGpuHas) {
  const target::Target target = target::host();
  const std::string head = "program p(X: float32[4])\n";
  for (const std::string body : {"  threadIdx.x t (0, 4)\n    X[t] = 1f\n", "  barrier shared\n",
                                 "  call mma() writes X[0:4]\n"}) {
    EXPECT_THROW(build_llvm(ir::parse_program(head + body), target), UserError) << body;
    EXPECT_THROW(print_c(ir::parse_program(head + body), target), UserError) << body;
  }
}

}  // namespace
}  // namespace hone::codegen
