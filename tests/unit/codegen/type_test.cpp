#include "ir/verify.h"
#include "run.h"
#include "type_programs.h"

namespace hone::codegen {
namespace {

void check_types(Scalar scalar, Build build, const target::Target& target, int lanes) {
  SCOPED_TRACE(fmt::format("{}, {} lanes", target.name, lanes));
  for (const ir::Program& program : {operators_program(scalar, lanes), casts_program(scalar, lanes)}) {
    ir::check_valid(program);
    expect_as_interpreted(program, build(program, target));
  }
}

class Types : public testing::TestWithParam<Scalar> {};

TEST_P(Types, HaveEveryOperatorAndBecomeEachOther) {
  for (const target::Target& target : runnable_targets()) {
    for (const int lanes : {1, 16}) check_types(GetParam(), build_llvm, target, lanes);
  }
}

TEST_P(Types, HaveEveryOperatorAndBecomeEachOtherInC) {
  check_types(GetParam(), build_c, target::host(), ir::bits(GetParam()) == 64 ? 8 : 16);
}

INSTANTIATE_TEST_SUITE_P(All, Types, testing::ValuesIn(kScalars),
                         [](const auto& test) { return ir::to_string({test.param, 1}); });

}  // namespace
}  // namespace hone::codegen
