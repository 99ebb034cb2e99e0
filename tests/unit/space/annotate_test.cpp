// The annotation of one sketch: arithmetic on extents, limits of a GPU, each mutation by itself.
#include <gtest/gtest.h>

#include <map>

#include "machines.h"
#include "schedule/state.h"
#include "space/annotate/sketch_family.h"
#include "space/sketch.h"
#include "task/catalogue.h"

namespace hone::space {
namespace {

using TaskPointer = std::shared_ptr<const task::Task>;

TaskPointer task_of(const char* op) { return std::make_shared<const task::Task>(task::from_op(op)); }

const char* const kOps[] = {"matmul:m=512,n=512,k=512",
                            "matmul:m=8,n=8,k=1024+relu",
                            "conv2d:ci=64,hw=28,co=64,k=3,s=1,p=1,layout=nhwc+bias+relu",
                            "conv2d:ci=32,hw=14,co=64,k=3,s=2,p=1,layout=nchw",
                            "depthwise:ci=32,hw=14,k=3,p=1,layout=nhwc",
                            "softmax:rows=128,cols=512",
                            "layer_norm:rows=64,cols=768"};

// Calls `visit` on the family of every sketch of the ops, with their number.
template <class Visit>
void for_each_family(const Hardware& hardware, const Visit& visit) {
  for (const char* op : kOps) {
    const TaskPointer task = task_of(op);
    Factorings factorings;
    int number = 0;
    const std::vector<Sketch> all = sketches(task, hardware);
    for (const Sketch& sketch : all) {
      const SketchFamily family(number, task, sketch.steps, hardware, factorings);
      SCOPED_TRACE(std::string(op) + " sketch " + std::to_string(number++));
      visit(task, family, static_cast<int>(all.size()));
    }
  }
}

std::optional<Decisions> valid_sample(const SketchFamily& family, Random& random) {
  for (int i = 0; i < 10000; ++i) {
    if (auto decisions = family.sample(random)) return decisions;
  }
  return std::nullopt;
}

// The steps up to the places: what fusing makes of loops is left out.
schedule::Steps without_annotation(const SketchFamily& family, const Decisions& decisions) {
  schedule::Steps steps = *family.decode(decisions);
  std::size_t end = family.view().outline.steps.size();
  const auto is_place = [](const schedule::Step& step) {
    return std::holds_alternative<schedule::ComputeAt>(step) ||
           std::holds_alternative<schedule::ComputeRoot>(step);
  };
  while (end < steps.size() && is_place(steps[end])) ++end;
  steps.resize(end);
  return steps;
}

TEST(ExtentArithmetic, AgreesWithBoundInference) {
  Random random(1, 0);
  for_each_family(four_cores(), [&](const TaskPointer& task, const SketchFamily& family, int) {
    const SketchView view = family.view();
    for (int i = 0; i < 50; ++i) {
      const Decisions decisions = *family.sample(random);
      const IterExtents extents =
          view.arithmetic.settle_all(decisions, layout_of(view.outline, decisions));
      schedule::State state = schedule::replay(task, without_annotation(family, decisions));
      schedule::infer_bounds(state);
      for (std::size_t s = 0; s < state.stages.size(); ++s) {
        std::vector<std::int64_t> bounds;
        const bool is_computed = view.outline.fact(static_cast<int>(s)).is_computed;
        for (const schedule::Iterator& iter : state.stages[s].iters) {
          if (is_computed) bounds.push_back(*iter.extent);
        }
        ASSERT_EQ(extents[s], bounds) << state.stages[s].name << '\n' << family.print(decisions);
      }
    }
  });
}

struct GpuUse {
  std::int64_t shared_bytes = 0, threads = 0, vthreads = 0;
};
// Of the largest kernel, from its bounds.
GpuUse use_of(const schedule::State& state) {
  GpuUse use;
  std::map<int, std::int64_t> shared_bytes;
  for (std::size_t s = 0; s < state.stages.size(); ++s) {
    const schedule::Stage& stage = state.stages[s];
    const ir::Buffer& buffer = state.task->ops[s].output();
    if (stage.name.ends_with(".shared")) {
      std::int64_t bytes = ir::bits(buffer->type.scalar) / 8;
      for (const schedule::Range& range : state.bounds.stages[s].region) bytes *= range.extent;
      shared_bytes[stage.attach_stage] += bytes;
      use.shared_bytes = std::max(use.shared_bytes, shared_bytes[stage.attach_stage]);
    }
    for (const schedule::Iterator& iter : stage.iters) {
      if (iter.annotation == ir::LoopKind::ThreadX) use.threads = std::max(use.threads, *iter.extent);
      if (iter.annotation == ir::LoopKind::Vthread) use.vthreads = std::max(use.vthreads, *iter.extent);
    }
  }
  return use;
}

// Lets everything through, so that the limits themselves decide.
Hardware boundless() {
  Hardware hardware = volta();
  hardware.max_shared_bytes = hardware.max_threads = hardware.max_vthread = 1 << 30;
  return hardware;
}

TEST(GpuLimits, AreThoseOfTheBounds) {
  Random random(2, 0);
  const Hardware hardware = volta();
  int n_allowed = 0, n_refused = 0;
  for_each_family(boundless(), [&](const TaskPointer& task, const SketchFamily& family, int) {
    const GpuLimits limits(family.view().outline, hardware);
    for (int i = 0; i < 200; ++i) {
      const std::optional<Decisions> decisions = valid_sample(family, random);
      ASSERT_TRUE(decisions);
      schedule::State state = schedule::replay(task, *family.decode(*decisions));
      schedule::infer_bounds(state);
      const GpuUse use = use_of(state);
      const bool fits = use.shared_bytes <= hardware.max_shared_bytes &&
                        use.threads <= hardware.max_threads && use.vthreads <= hardware.max_vthread;
      ASSERT_EQ(limits.allow(*decisions), fits) << family.print(*decisions) << '\n'
                                                << use.shared_bytes << ' ' << use.threads;
      (fits ? n_allowed : n_refused) += 1;
    }
  });
  EXPECT_GT(n_allowed, 50);
  EXPECT_GT(n_refused, 50);
}

using Mutate = bool (*)(const SketchView&, Decisions&, Random&);

// Applications to a family's candidates, each from where the last one led.
int expect_mutations_valid(const TaskPointer& task, const SketchFamily& family, Mutate mutate,
                           int n_applications) {
  Random random(3, 0);
  std::optional<Decisions> decisions = valid_sample(family, random);
  EXPECT_TRUE(decisions);
  int n_changed = 0;
  for (int i = 0; decisions && i < n_applications; ++i) {
    Decisions mutant = *decisions;
    if (!mutate(family.view(), mutant, random)) continue;
    EXPECT_NE(mutant, *decisions);
    const std::optional<Decisions> settled = family.settle(mutant);
    if (!settled) continue;
    const std::optional<schedule::Steps> steps = family.decode(*settled);
    EXPECT_TRUE(steps);
    if (!steps) return n_changed;
    schedule::State state = schedule::replay(task, *steps);
    EXPECT_NO_THROW(schedule::infer_bounds(state)) << family.print(*settled);
    EXPECT_EQ(family.encode(*steps), settled) << family.print(*settled);
    decisions = settled;
    ++n_changed;
  }
  return n_changed;
}

struct NamedMutation {
  const char* name;
  Mutate apply;
};
class Mutations : public testing::TestWithParam<NamedMutation> {};

TEST_P(Mutations, AThousandOnEveryOperatorStayValidOnACpu) {
  int n_changed = 0;
  for_each_family(
      four_cores(), [&](const TaskPointer& task, const SketchFamily& family, int n_sketches) {
        n_changed += expect_mutations_valid(task, family, GetParam().apply, 1000 / n_sketches + 1);
      });
  EXPECT_GT(n_changed, 1000);
}

TEST_P(Mutations, AThousandOnEveryOperatorStayValidOnAGpu) {
  const bool is_for_gpu = GetParam().apply == mutate_lengths || GetParam().apply == mutate_unroll;
  int n_changed = 0;
  for_each_family(volta(), [&](const TaskPointer& task, const SketchFamily& family, int n_sketches) {
    n_changed += expect_mutations_valid(task, family, GetParam().apply, 1000 / n_sketches + 1);
  });
  if (is_for_gpu) {
    EXPECT_GT(n_changed, 1000);
  } else {
    EXPECT_EQ(n_changed, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Ansor, Mutations,
                         testing::Values(NamedMutation{"lengths", mutate_lengths},
                                         NamedMutation{"unroll", mutate_unroll},
                                         NamedMutation{"place", mutate_place},
                                         NamedMutation{"parallel", mutate_parallel}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace hone::space
