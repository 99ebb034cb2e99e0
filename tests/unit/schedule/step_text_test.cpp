// Steps in words, and the nest line by line.
#include "schedule/step_text.h"

#include <gtest/gtest.h>

#include "schedule/nest_lines.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::schedule {
namespace {

constexpr const char* kSteps = R"([["CHW", 2, "local"], ["SP", 2, 0, 64, [4, 8], 1],
  ["SP", 3, 0, 64, [32], 1], ["CA", 2, 3, 0], ["RE", 2, [0, 1, 3, 2, 4]], ["AN", 3, 0, 3], ["AN", 3, 2, 2],
  ["PR", 2, 0, "auto_unroll_max_step$16"]])";

std::shared_ptr<const task::Task> matmul() {
  return std::make_shared<const task::Task>(task::from_op("matmul:m=64,n=16,k=16"));
}

TEST(StepText, NamesStandWhereStepsHaveNumbers) {
  const std::vector<StepText> texts = step_texts(matmul(), steps_from_json(kSteps));
  std::string all;
  for (const StepText& text : texts) all += text.subject + ": " + text.value + "\n";
  EXPECT_EQ(all,
            "CHW C: local\n"
            "SP C.local i_c: 2x4x8\n"
            "SP C i: 2x32\n"
            "CA C.local: at C i.0\n"
            "RE C.local: i_c.0 i_c.1 j_c i_c.2 k\n"
            "AN C i.0: parallel\n"
            "AN C j: vectorize\n"
            "PR C.local: unroll 16\n");
}

TEST(StepText, StepsWhoseStageIsNotThereHaveAText) {
  const State state = initial_state(matmul());
  EXPECT_EQ(text_of(state, ComputeInline{77}).subject, "CI s77");
  EXPECT_EQ(text_of(state, Split{2, 99, {}, {std::nullopt}, true}).value, "?x?");
}

TEST(StepText, OrdersAreToldApartByWhatMoved) {
  const State state = initial_state(matmul());
  const Step order = Reorder{2, {0, 1, 2}};
  EXPECT_EQ(other_value(state, order, Reorder{2, {0, 2, 1}}), "k before j");
  EXPECT_EQ(other_value(state, order, Reorder{2, {1, 2, 0}}), "j k i");
  EXPECT_EQ(other_value(state, order, Reorder{2, {0, 1, 2}}), "i j k");
  EXPECT_EQ(
      other_value(state, Annotate{2, 0, ir::LoopKind::Parallel}, Annotate{2, 0, ir::LoopKind::Serial}),
      "plain");
}

TEST(NestLines, AreTheLinesOfThePrintedState) {
  State state = replay(matmul(), steps_from_json(kSteps));
  infer_bounds(state);
  std::string text;
  int loops = 0, stores = 0, pragmas = 0;
  for (const NestLine& line : nest_lines(state)) {
    text += line.text + "\n";
    loops += line.kind == NestLine::Kind::Loop;
    stores += line.kind == NestLine::Kind::Store;
    pragmas += line.kind == NestLine::Kind::Pragma;
    if (line.kind != NestLine::Kind::Loop) continue;
    const Stage& stage = state.stages[static_cast<std::size_t>(line.stage)];
    EXPECT_NE(line.text.find(" " + stage.iters[static_cast<std::size_t>(line.iter)].name + " "),
              std::string::npos)
        << line.text;
  }
  EXPECT_EQ(text, print(state));
  EXPECT_EQ(stores, 2);
  EXPECT_EQ(pragmas, 1);
  EXPECT_GT(loops, 4);
}

}  // namespace
}  // namespace hone::schedule
