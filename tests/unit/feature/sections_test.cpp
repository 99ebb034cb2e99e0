#include "feature/sections.h"

#include <gtest/gtest.h>

#include <map>

#include "base/error.h"
#include "feature/primitive_rows.h"
#include "feature/section_rows.h"
#include "feature/summary.h"
#include "feature/text_codes.h"
#include "feature/tlp_rows.h"
#include "schedule/state.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::feature {
namespace {

struct Set {
  std::vector<std::uint32_t> task_of;
  std::vector<schedule::Steps> programs;
  SectionInput input;
};

// A product that is known, one that is not, and steps of which some do not fit.
Set small_set(int copies) {
  Set set;
  const auto task = std::make_shared<const task::Task>(task::from_op("matmul:m=64,n=64,k=64"));
  const std::int64_t cpu[] = {8, 64, 64, 0, 0, 0, 0, 0};
  set.input.tasks = {{task, space::hardware_from(cpu)}, {nullptr, space::hardware_from(cpu)}};
  const char* const split = R"([["SP", 2, 0, 64, [4, 2, 8], 1], ["AN", 2, 0, 3]])";
  const char* const wrong = R"([["CI", 9]])";
  for (int i = 0; i < copies; ++i) {
    for (const auto& [number, json] : {std::pair(0, split), {1, split}, {0, wrong}, {0, "[]"}}) {
      set.task_of.push_back(static_cast<std::uint32_t>(number));
      set.programs.push_back(schedule::steps_from_json(json));
    }
  }
  return set;
}

struct MadeSection : Section {
  std::vector<float> values;
};

MadeSection make(std::string_view name, Set& set, int threads = 2) {
  set.input.task_of = set.task_of;
  set.input.steps_of = [&set](std::size_t i) { return set.programs[i]; };
  MadeSection made;
  static_cast<Section&>(made) =
      make_section(name, set.input, threads, [&](std::span<const float> rows) {
        made.values.insert(made.values.end(), rows.begin(), rows.end());
      });
  return made;
}

using Offsets = std::vector<std::uint64_t>;

TEST(Sections, StatementsAreThoseOfTheProgramAndOthersAreCountedWithTheReason) {
  Set set = small_set(1);
  const MadeSection made = make("statements", set);
  EXPECT_EQ(made.info, "1 164 program");
  EXPECT_EQ(made.offsets, (Offsets{0, 1, 1, 1, 2}));
  schedule::State state = schedule::replay(set.input.tasks[0].task, set.programs[0]);
  schedule::infer_bounds(state);
  const auto expected = statements(state, set.input.tasks[0].hardware).values;
  EXPECT_EQ(std::vector(made.values.begin(), made.values.begin() + kStatementColumns), expected);
  ASSERT_EQ(made.left_out.size(), 2U);
  EXPECT_EQ(made.left_out[0].reason, "the task's computation is not known");
  EXPECT_EQ(made.left_out[0].first, 1U);
  EXPECT_EQ(made.left_out[1].reason, "the steps do not fit the task");
  EXPECT_NE(made.left_out[1].example.find("there is no stage 9"), std::string::npos);
}

TEST(Sections, RowsOfAReplayedProgramAreThoseOfTheSection) {
  Set set = small_set(1);
  const SectionTask& task = set.input.tasks[0];
  const schedule::Steps& steps = set.programs[0];
  schedule::State state = schedule::replay(task.task, steps);
  schedule::infer_bounds(state);
  const NotedState noted = replay_noted(task.task, steps);
  const std::map<std::string, std::vector<float>> expected = {
      {"statements", statements(state, task.hardware).values},
      {"primitives", primitive_rows(noted, loop_tree(noted.state))},
      {"summary", summary(state, loop_tree(state), task.hardware)},
      {"characters", character_codes(steps)}};
  const Replayed program(task.task, steps, task.hardware);
  for (const auto& [name, rows] : expected) {
    EXPECT_EQ(section_rows(name, set.input).of_replayed(program), rows) << name;
    EXPECT_EQ(make(name, set).values.at(0), rows.at(0)) << name;
  }
  const std::vector<float> tlp = section_rows("tlp", set.input).of_replayed(program);
  const std::vector<float> of_set = make("tlp", set).values;
  EXPECT_TRUE(std::equal(tlp.begin(), tlp.end(), of_set.begin()));
  for (const char* name : {"tokens", "context", "embedding"})
    EXPECT_FALSE(section_rows(name, set.input).of_replayed) << name;
}

TEST(Sections, TlpRowsHaveNoPaddingAndSayHowMuchThereIs) {
  Set set = small_set(1);
  const MadeSection made = make("tlp", set);
  EXPECT_EQ(made.info, "1 22 program 25");
  EXPECT_EQ(made.offsets, (Offsets{0, 2, 4, 5, 5}));
  EXPECT_TRUE(made.left_out.empty());
  std::vector<float> whole(25 * 22);
  tlp_rows(set.programs[0], tlp_cropped(space::Hardware::Kind::Cpu), whole.data());
  EXPECT_TRUE(std::equal(whole.begin(), whole.begin() + 44, made.values.begin()));

  const MadeSection cut = make("tlp_1x13", set);
  EXPECT_EQ(cut.info, "1 13 program 1");
  EXPECT_EQ(cut.offsets, (Offsets{0, 1, 2, 3, 3}));
}

TEST(Sections, OfTasksHaveARowATask) {
  Set set = small_set(1);
  const MadeSection made = make("embedding", set);
  EXPECT_EQ(made.info, "1 9 task");
  EXPECT_EQ(made.offsets, (Offsets{0, 1, 1}));
  EXPECT_EQ(make("context", set).offsets, (Offsets{0, 1, 1}));
}

TEST(Sections, DoNotDependOnTheNumberOfThreads) {
  Set set = small_set(1500);  // more than one block
  for (const SectionHelp& help : section_names()) {
    const MadeSection one = make(help.name, set, 1), many = make(help.name, set, 3);
    EXPECT_EQ(one.values, many.values) << help.name;
    EXPECT_EQ(one.offsets, many.offsets) << help.name;
    EXPECT_EQ(one.vocabulary, many.vocabulary) << help.name;
    for (std::size_t i = 0; i < one.left_out.size(); ++i) {
      EXPECT_EQ(one.left_out[i].count, many.left_out[i].count) << help.name;
      EXPECT_EQ(one.left_out[i].first, many.left_out[i].first) << help.name;
    }
  }
}

TEST(Sections, WhatIsWrongIsSaid) {
  Set set = small_set(1);
  EXPECT_THROW(make("statement", set), UserError);
  EXPECT_THROW(make("tlp_25", set), UserError);
  EXPECT_THROW(make("tlp_25x11", set), UserError);
  const std::int64_t gpu[] = {-1, 16, 64, 49152, 65536, 1024, 8, 32};
  set.input.tasks[1].hardware = space::hardware_from(gpu);
  EXPECT_THROW(make("tlp", set), UserError);
}

TEST(TextCodes, TokensAreLearntAndCarriedAsText) {
  const auto steps = schedule::steps_from_json(R"([["CI", 1], ["CI", 2], ["CI", 1]])");
  StepTokens tokens;
  tokens.learn(steps);
  EXPECT_EQ(tokens.codes(steps), (std::vector<float>{2, 3, 2}));
  const StepTokens again = StepTokens::parse(tokens.print());
  EXPECT_EQ(again.codes(steps), tokens.codes(steps));
  EXPECT_EQ(again.codes({schedule::ComputeRoot{1}}), (std::vector<float>{StepTokens::kUnknown}));
}

TEST(TextCodes, CharactersAreThoseOfTheRecord) {
  const auto codes = character_codes(schedule::steps_from_json(R"([["CI", 17]])"));
  std::string text;
  for (const float code : codes) text += kCharacters[static_cast<std::size_t>(code) - 1];
  EXPECT_EQ(text, R"([["CI",17]])");
}

}  // namespace
}  // namespace hone::feature
