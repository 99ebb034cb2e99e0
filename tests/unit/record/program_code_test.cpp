#include "record/hds/program_code.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "record/hds/varint.h"
#include "schedule/step_json.h"

namespace hone::record::hds {
namespace {

// All kinds, with numbers that need one byte and more.
const std::string kSteps =
    R"([["AN", 14, 3, 11], ["FU", 15, [0, 1, 200]], ["PR", 300, 0, "auto_unroll_max_step$1024"], )"
    R"(["PR", 1, 0, "auto_unroll_max_step$"], ["PR", 1, 0, ""], ["RE", 2, [1, 0]], )"
    R"(["SP", 2, 0, 0, [4, 0, 199999999], 1], ["SP", 2, 0, 999999999, [], 0], ["FSP", 3, 0, 2, 4], )"
    R"(["FFSP", 3, 0, [2, 3], 1, 1], ["SA", 3, 1, 32, 16], ["CA", 1, 2, 3], ["CI", 0], ["CR", 4], )"
    R"(["CHR", 1, "shared", [3]], ["CHW", 4, "local"], ["CHW", 4, "wmma.accumulator"], )"
    R"(["RF", 1, 2, 3], ["PF", 1, 2, 3, 4]])";

TEST(ProgramCode, StepsComeBack) {
  const schedule::Steps steps = schedule::steps_from_json(kSteps);
  std::string code;
  append_code(code, steps);
  EXPECT_EQ(schedule::to_json(steps_from_code(code)), kSteps);
  EXPECT_TRUE(steps_from_code("").empty());
}

TEST(ProgramCode, AStepTakesFewBytes) {
  std::string code;
  append_code(code, schedule::steps_from_json(R"([["SP", 2, 0, 512, [4, 2, 8], 1]])"));
  EXPECT_EQ(code.size(), 9u);
}

TEST(ProgramCode, KnobsComeBack) {
  using schedule::KnobKind;
  const KnobProgram program{-5,
                            "hash",
                            {{"tile", KnobKind::Split, {-1, 1 << 20}, {}},
                             {"ann", KnobKind::Annotate, {}, {"unroll", ""}},
                             {"n", KnobKind::Number, {std::numeric_limits<std::int64_t>::min()}, {}},
                             {"word", KnobKind::Word, {}, {"NCHW"}}}};
  std::string code;
  append_code(code, program);
  EXPECT_EQ(knobs_from_code(code), program);
}

// Whatever the bytes are, decoding ends, and either refuses them or gives steps that can be coded
// again.
TEST(ProgramCode, AnyBytesEndWell) {
  std::string code;
  append_code(code, schedule::steps_from_json(kSteps));
  int refused = 0;
  for (std::size_t at = 0; at < code.size(); ++at) {
    for (const int change : {1, 0x0F, 0x80, 0xFF}) {
      std::string other = code;
      other[at] = static_cast<char>(other[at] ^ change);
      try {
        std::string again;
        append_code(again, steps_from_code(other));
        EXPECT_EQ(steps_from_code(again), steps_from_code(other));
      } catch (const UserError& error) {
        EXPECT_FALSE(error.hint().empty());
        ++refused;
      }
    }
    EXPECT_NO_FATAL_FAILURE(try { knobs_from_code(code.substr(at)); } catch (const UserError&){});
  }
  EXPECT_GT(refused, 50);
}

TEST(ProgramCode, NumbersOfAllSizes) {
  for (const std::uint64_t value : {0ULL, 127ULL, 128ULL, ~0ULL}) {
    std::string code;
    append_varint(code, value);
    EXPECT_EQ(CodeReader(code).varint(), value);
    EXPECT_THROW(CodeReader(code.substr(0, code.size() - 1)).varint(), UserError);
  }
  EXPECT_THROW(CodeReader(std::string(11, '\xff')).varint(), UserError);
}

}  // namespace
}  // namespace hone::record::hds
