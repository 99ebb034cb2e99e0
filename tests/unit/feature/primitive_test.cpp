#include "feature/primitive.h"

#include <gtest/gtest.h>

#include "schedule/step_json.h"

namespace hone::feature {
namespace {

TEST(Primitive, HasAKindNamesAndNumbers) {
  Words words;
  const auto steps = schedule::steps_from_json(
      R"([["SP", 3, 4, 96, [2, 8], 1], ["PR", 2, 0, "auto_unroll_max_step$64"], ["FSP", 4, 0, 1, 3]])");
  EXPECT_EQ(print(from_steps(steps, words), words),
            "split s3 i4 96 2 8 1\n"
            "pragma s2 i0 'auto_unroll_max_step' 64\n"
            "follow_split s4 i0 @1 3\n");
  const schedule::Knobs knobs = {{"tile_x", schedule::KnobKind::Split, {-1, 4, 2}, {}},
                                 {"unroll_explicit", schedule::KnobKind::Number, {1}, {}}};
  EXPECT_EQ(print(from_knobs(knobs, words), words),
            "split 'tile_x' -1 4 2\n"
            "choose 'unroll_explicit' 1\n");
}

TEST(Primitive, EveryKindOfStepComesBack) {
  const char* const json =
      R"([["AN", 1, 2, 3], ["FU", 1, [0, 1]], ["FU", 1, []], ["PR", 1, 0, "debug_skip_region"],)"
      R"( ["PR", 1, 0, "auto_unroll_max_step$016"], ["PR", 1, 0, "strange$"], ["RE", 1, [1, 0]],)"
      R"( ["SP", 1, 0, 0, [0, 4], 0], ["FSP", 1, 0, 2, 3], ["FFSP", 1, 0, [2, 3], 0, 0],)"
      R"( ["SA", 1, 0, 32, 8], ["CA", 1, 2, 3], ["CI", 1], ["CR", 1], ["CHR", 1, "shared", [2, 3]],)"
      R"( ["CHW", 1, "texture"], ["RF", 1, 2, 0], ["PF", 1, 2, 0, 16]])";
  const auto steps = schedule::steps_from_json(json);
  Words words;
  const auto again = to_steps(from_steps(steps, words), words);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(schedule::to_json(*again), json);
}

TEST(Primitive, KnobsComeBack) {
  using schedule::KnobKind;
  const schedule::Knobs knobs = {{"tile_x", KnobKind::Split, {-1, 4, 2}, {}},
                                 {"order", KnobKind::Reorder, {1, 0, 2}, {}},
                                 {"ann", KnobKind::Annotate, {}, {"vec", "unroll"}},
                                 {"unroll", KnobKind::Number, {512}, {}},
                                 {"explicit", KnobKind::Flag, {1}, {}},
                                 {"mine", KnobKind::Word, {}, {"None"}},
                                 {"nothing", KnobKind::Other, {}, {"null"}}};
  Words words;
  EXPECT_EQ(to_knobs(from_knobs(knobs, words), words), knobs);
}

TEST(Primitive, AClosedVocabularyHasOneSlotForAllOtherWords) {
  Words words(Words::Growth::Closed);
  const auto primitives = from_steps(schedule::steps_from_json(R"([["CHW", 1, "texture"]])"), words);
  EXPECT_EQ(primitives.front().arguments.back(), (Argument{Argument::Role::Word, 0}));
  EXPECT_FALSE(to_steps(primitives, words).has_value());
}

TEST(Primitive, OneTunersPrimitivesAreNotTheOthers) {
  Words words;
  const auto knobs =
      from_knobs(schedule::Knobs{{"tile_x", schedule::KnobKind::Split, {-1, 4}, {}}}, words);
  EXPECT_FALSE(to_steps(knobs, words).has_value());
  const auto steps = from_steps(schedule::steps_from_json(R"([["CI", 1]])"), words);
  EXPECT_FALSE(to_knobs(steps, words).has_value());
}

}  // namespace
}  // namespace hone::feature
