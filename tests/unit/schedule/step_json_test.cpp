#include "schedule/step_json.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error.h"

namespace hone::schedule {
namespace {

// One of each kind, as logs spell them.
constexpr std::string_view kEveryKind =
    R"([["AN", 2, 9, 2], ["FU", 3, [0, 1, 2]], ["PR", 2, 0, "auto_unroll_max_step$64"], )"
    R"(["RE", 3, [0, 3, 1, 4, 2, 5]], ["SP", 2, 0, 512, [4, 2, 8], 1], ["FSP", 3, 0, 0, 2], )"
    R"(["FFSP", 3, 0, [1, 0], 1, 1], ["SA", 1, 0, 32, 4], ["CA", 2, 3, 3], ["CI", 5], ["CR", 1], )"
    R"(["CHR", 1, "shared", [2, 4]], ["CHW", 2, "local"], ["RF", 2, 4, 1], ["PF", 2, 4, 1, 16]])";

std::string refusal(const std::string& json) {
  try {
    steps_from_json(json);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(StepJson, EveryKindComesBackByteForByte) {
  const Steps steps = steps_from_json(kEveryKind);
  EXPECT_EQ(to_json(steps), kEveryKind);
  std::set<std::size_t> kinds;
  for (const Step& step : steps) kinds.insert(step.index());
  EXPECT_EQ(kinds.size(), std::variant_size_v<Step>);
}

TEST(StepJson, FieldsLandWhereTheyBelong) {
  const Steps steps = steps_from_json(kEveryKind);
  const auto& annotate = std::get<Annotate>(steps[0]);
  EXPECT_EQ(annotate.stage, 2);
  EXPECT_EQ(annotate.iter, 9);
  EXPECT_EQ(annotate.annotation, ir::LoopKind::Vectorized);
  const auto& split = std::get<Split>(steps[4]);
  EXPECT_EQ(split.stage, 2);
  EXPECT_EQ(split.iter, 0);
  EXPECT_EQ(split.extent, 512);
  EXPECT_EQ(split.lengths, (std::vector<std::optional<std::int64_t>>{4, 2, 8}));
  EXPECT_TRUE(split.inner_to_outer);
  const auto& follow = std::get<FollowFusedSplit>(steps[6]);
  EXPECT_EQ(follow.source_steps, (std::vector<int>{1, 0}));
  EXPECT_EQ(follow.level, 1);
  EXPECT_TRUE(follow.factor);
  const auto& cache = std::get<CacheRead>(steps[11]);
  EXPECT_EQ(cache.scope, "shared");
  EXPECT_EQ(cache.readers, (std::vector<int>{2, 4}));
  const auto& rfactor = std::get<Rfactor>(steps[13]);
  EXPECT_EQ(rfactor.iter, 4);
  EXPECT_EQ(rfactor.factor_iter, 1);
}

TEST(StepJson, ZeroIsAnOpenExtentOrLength) {
  constexpr std::string_view kOpen = R"([["SP", 3, 0, 0, [0, 16], 0]])";
  const Steps steps = steps_from_json(kOpen);
  const auto& split = std::get<Split>(steps[0]);
  EXPECT_FALSE(split.extent);
  EXPECT_FALSE(split.lengths[0]);
  EXPECT_EQ(split.lengths[1], 16);
  EXPECT_FALSE(split.inner_to_outer);
  EXPECT_EQ(to_json(steps), kOpen);
}

TEST(StepJson, EmptyListsAndAnySpacing) {
  EXPECT_TRUE(steps_from_json("[]").empty());
  EXPECT_EQ(to_json(steps_from_json(" [ [\"FU\",0,[ ]] ,[\"CI\",4]] ")),
            R"([["FU", 0, []], ["CI", 4]])");
}

TEST(StepJson, ErrorsNameTheStepAndTheField) {
  EXPECT_EQ(refusal(R"([["CI", 5], ["SP", 2, -1, 512, [4], 1]])"),
            "step 1 (SP): column 23: iterator id is -1, which is not between 0 and 2147483647");
  EXPECT_EQ(refusal(R"([["ZZ", 1]])"), "step 0 (ZZ): column 7: unknown step kind");
  EXPECT_EQ(refusal(R"([["AN", 1, 2, 12]])"),
            "step 0 (AN): column 15: annotation is 12, which is not between 0 and 11");
  EXPECT_EQ(refusal(R"([["CI", 5], ["CA", 1, 2)"),
            "step 1 (CA): column 24: the text ends where ',' is expected");
}

TEST(StepJson, LoopsOfABillionAreRefused) {
  EXPECT_NE(refusal(R"([["SP", 0, 0, 1000000000, [4], 1]])").find("extent is 1000000000"),
            std::string::npos);
  EXPECT_NE(refusal(R"([["SP", 0, 0, 64, [1000000000], 1]])").find("length is 1000000000"),
            std::string::npos);
  EXPECT_NE(refusal(R"([["SP", 0, 0, 64, [100000, 100000], 1]])").find("multiply"), std::string::npos);
  EXPECT_EQ(refusal(R"([["SP", 0, 0, 334540800, [4], 1]])"), "accepted");  // the longest in public logs
}

TEST(StepJson, WrongShapesAreRefused) {
  for (const char* bad : {"", "[", "{}", "[[]]", "[[\"CI\"]]", "[[\"CI\", \"5\"]]", "[[\"CI\", 5, 6]]",
                          "[[\"CI\", 5.0]]", "[[\"FU\", 1, 2]]", "[[\"FU\", 1, [0, ]]]",
                          "[[\"CHW\", 1, 2]]", "[[\"CI\", 5],]", "[[\"CI\", 5]] 1", "[[\"CA\", 1, 2]]",
                          "[[\"SP\", 1, 0, 64, [4], 2]]", "[[\"CI\", 2147483648]]", "[[\"CI\", null]]"})
    EXPECT_NE(refusal(bad), "accepted") << bad;
}

TEST(StepJson, ListsAreBounded) {
  std::string list = "[0";
  for (int i = 1; i < 10000; ++i) list += ", 0";
  EXPECT_NE(refusal("[[\"RE\", 0, " + list + "]]]").find("entries in a list"), std::string::npos);
  std::string steps = "[[\"CI\", 0]";
  for (int i = 1; i < 10000; ++i) steps += ", [\"CI\", 0]";
  EXPECT_NE(refusal(steps + "]").find("more than 4096 steps"), std::string::npos);
}

}  // namespace
}  // namespace hone::schedule
