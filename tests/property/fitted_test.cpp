// Candidates that were made to fit a task of other sizes compute that task.
#include <gtest/gtest.h>

#include "codegen/compile.h"
#include "schedule/step_json.h"
#include "space/space.h"
#include "task/catalogue.h"
#include "tests/property/trial.h"

namespace hone::property {
namespace {

using TaskPtr = std::shared_ptr<const task::Task>;

struct Pair {
  const char *from, *to;
};
constexpr Pair kPairs[] = {
    {"matmul:m=64,n=64,k=64+bias+gelu", "matmul:m=37,n=100,k=19+bias+gelu"},
    {"matmul:m=128,n=32,k=32", "matmul:m=1,n=200,k=64"},
    {"conv2d:n=1,ci=16,hw=28,co=32,k=3,s=1,p=1+bias+relu",
     "conv2d:n=1,ci=24,hw=9,co=20,k=5,s=1,p=2+bias+relu"},
    {"conv2d:n=1,ci=16,hw=16,co=32,k=3,s=2,p=1,layout=nhwc",
     "conv2d:n=2,ci=3,hw=31,co=16,k=7,s=2,p=3,layout=nhwc"},
    {"softmax:rows=16,cols=64", "softmax:rows=7,cols=100"},
};

space::Space space_of(const TaskPtr& task, const target::Target& target) {
  return space::hone_space(task, space::sketches(task, space::hardware_of(target)), target);
}

TEST(property, FittedCandidatesComputeTheirTask) {
  const target::Target target = target::host();
  for (const Pair& pair : kPairs) {
    const auto from = std::make_shared<const task::Task>(task::from_op(pair.from));
    const auto to = std::make_shared<const task::Task>(task::from_op(pair.to));
    const space::Space old_space = space_of(from, target), new_space = space_of(to, target);
    Trial trial(*to);
    Random random(1, 0);
    int n_run = 0;
    for (int i = 0; i < 20 && n_run < 8; ++i) {
      const std::optional<space::Decisions> fitted =
          new_space.fit(*old_space.decode(old_space.sample(random).value()));
      if (!fitted) continue;
      const schedule::Steps steps = *new_space.decode(*fitted);
      EXPECT_EQ(trial.run(codegen::compile(to, steps, target)), "") << pair.to << '\n'
                                                                    << schedule::to_json(steps);
      ++n_run;
    }
    EXPECT_EQ(n_run, 8) << pair.to;
  }
}

}  // namespace
}  // namespace hone::property
