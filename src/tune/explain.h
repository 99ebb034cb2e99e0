// Why a scorer thinks of a program what it does: which steps and which parts of the loop nest it holds
// responsible. Any scorer is asked the same way, by showing it programs that differ.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "feature/aspects.h"
#include "schedule/state.h"
#include "schedule/step_text.h"
#include "score/model.h"
#include "space/hardware.h"
#include "tune/any_scorer.h"
#include "tune/options.h"

namespace hone::tune {

// A program and the machine it is for.
struct Subject {
  std::shared_ptr<const task::Task> task;
  schedule::Steps steps;
  space::Hardware hardware;
  target::Target target;              // where the scorer reads code
  SpaceKind space = SpaceKind::Hone;  // that random programs of the task are drawn from
};

struct ExplainOptions {
  std::size_t samples = 256;  // random programs of the task
  std::uint64_t seed = 1;
  int threads = 1;
};

// A step that is another.
struct Otherwise {
  std::string value;  // instead of the step's
  bool is_undone;     // see space/alternatives.h
  double gain;        // how much higher the logarithm of the score is
  std::size_t rank;   // among the random programs
};
struct ExplainedStep {
  schedule::StepText text;
  std::vector<Otherwise> others;  // highest gain first
};

// What is said of a statement in one respect, against how it is with random programs on average.
struct ExplainedAspect {
  int stage;  // whose statement; -1: the whole program
  feature::Aspect aspect;
  double gain;   // how much the logarithm of the score falls when it is as on average
  double share;  // of all such gains, whatever their sign
};

struct Explanation {
  score::Prediction said;
  std::size_t samples = 0;               // that could be drawn
  std::size_t rank = 1;                  // 1 + those of them that are expected to be faster
  std::vector<ExplainedStep> steps;      // one a step
  std::vector<ExplainedAspect> aspects;  // largest share first; none when the scorer reads steps only
  schedule::State state;                 // with its bounds
};

// Throws UserError when the steps do not fit the task, or when the scorer can read nothing of it.
Explanation explain(const Subject& subject, const AnyScorer& scorer, const ExplainOptions& options);

}  // namespace hone::tune
