// Candidates of one task made to fit another that differs in sizes only.
#include <gtest/gtest.h>

#include "machines.h"
#include "schedule/state.h"
#include "schedule/step_json.h"
#include "space/space.h"
#include "task/catalogue.h"
#include "task/key.h"

namespace hone::space {
namespace {

enum class Kind { Ansor, Hone };
struct Case {
  const char *from, *to;
  Kind kind;
};

using TaskPointer = std::shared_ptr<const task::Task>;

TaskPointer task_of(const char* op) { return std::make_shared<const task::Task>(task::from_op(op)); }

Space space_of(const TaskPointer& task, Kind kind) {
  const target::Target target = target::parse("avx2");
  return kind == Kind::Hone ? hone_space(task, sketches(task, hardware_of(target)), target)
                            : ansor_space(task, sketches(task, four_cores()), four_cores());
}

class Fit : public testing::TestWithParam<Case> {};

TEST_P(Fit, MostCandidatesOfALikeTaskBecomeCandidatesOfThisOne) {
  const TaskPointer from = task_of(GetParam().from), to = task_of(GetParam().to);
  ASSERT_EQ(task::likeness(*from).structure, task::likeness(*to).structure);
  const Space old_space = space_of(from, GetParam().kind), new_space = space_of(to, GetParam().kind);
  Random random(1, 0);
  int n_fitted = 0;
  for (int i = 0; i < 100; ++i) {
    const schedule::Steps steps = *old_space.decode(old_space.sample(random).value());
    const std::optional<Decisions> fitted = new_space.fit(steps);
    if (!fitted) continue;
    ++n_fitted;
    const std::optional<schedule::Steps> made = new_space.decode(*fitted);
    ASSERT_TRUE(made);
    schedule::State state = schedule::replay(to, *made);
    schedule::infer_bounds(state);
    EXPECT_EQ(new_space.encode(*made), fitted) << schedule::to_json(*made);
  }
  EXPECT_GE(n_fitted, 60);
}

TEST_P(Fit, ACandidateOfTheTaskItselfStaysAsItIs) {
  const TaskPointer task = task_of(GetParam().to);
  const Space space = space_of(task, GetParam().kind);
  Random random(2, 0);
  for (int i = 0; i < 100; ++i) {
    const Decisions decisions = space.sample(random).value();
    EXPECT_EQ(space.fit(*space.decode(decisions)), decisions) << space.print(decisions);
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const Kind kind : {Kind::Ansor, Kind::Hone}) {
    all.push_back({"matmul:m=512,n=512,k=512", "matmul:m=100,n=768,k=96", kind});
    all.push_back({"matmul:m=64,n=64,k=64+bias+gelu", "matmul:m=1,n=1000,k=2048+bias+gelu", kind});
    all.push_back({"conv2d:n=1,ci=64,hw=56,co=64,k=3,s=1,p=1+bias+relu",
                   "conv2d:n=1,ci=128,hw=28,co=128,k=3,s=1,p=1+bias+relu", kind});
    all.push_back({"conv2d:n=1,ci=128,hw=28,co=256,k=3,s=2,p=1,layout=nhwc",
                   "conv2d:n=2,ci=3,hw=224,co=64,k=7,s=2,p=3,layout=nhwc", kind});
    all.push_back({"depthwise:ci=32,hw=14,k=3,p=1,layout=nhwc",
                   "depthwise:ci=96,hw=112,k=5,p=2,layout=nhwc", kind});
    all.push_back({"softmax:rows=128,cols=512", "softmax:rows=1536,cols=128", kind});
    all.push_back({"max_pool:ci=64,hw=112,k=3,s=2,p=1", "max_pool:ci=32,hw=28,k=3,s=2,p=1", kind});
  }
  return all;
}
std::string case_name(const testing::TestParamInfo<Case>& tested) {
  const std::string op = tested.param.from;
  return op.substr(0, op.find(':')) + std::to_string(tested.index) +
         (tested.param.kind == Kind::Hone ? "Hone" : "Ansor");
}
INSTANTIATE_TEST_SUITE_P(Catalogue, Fit, testing::ValuesIn(cases()), case_name);

TEST(FitOfOthers, StepsOfAnotherStructureAreRefused) {
  const TaskPointer product = task_of("matmul:m=64,n=64,k=64");
  const Space space = space_of(product, Kind::Hone);
  const TaskPointer rows = task_of("softmax:rows=128,cols=512");
  const Space other = space_of(rows, Kind::Hone);
  Random random(3, 0);
  for (int i = 0; i < 50; ++i)
    EXPECT_EQ(space.fit(*other.decode(other.sample(random).value())), std::nullopt);
  EXPECT_EQ(space.fit({}), std::nullopt);
}

}  // namespace
}  // namespace hone::space
