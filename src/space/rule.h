// What a sketch rule is: it looks at one stage of a half-made sketch and says how to go on.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "schedule/state.h"
#include "space/hardware.h"
#include "space/tile_levels.h"
#include "task/analysis.h"

namespace hone::space {

// The stage a rule is asked about. Stages behind it are decided, those before it are untouched.
struct Site {
  const schedule::State& state;
  int stage;
  const task::Analysis& analysis;  // of the state's own DAG, with the stages that steps added
  const Hardware& hardware;
  const TileLevels& levels;

  const task::Op& op(int of) const { return state.task->ops[static_cast<std::size_t>(of)]; }
  const task::Op& op() const { return op(stage); }
  const std::vector<schedule::Iterator>& iters(int of) const {
    return state.stages[static_cast<std::size_t>(of)].iters;
  }
  const std::vector<schedule::Iterator>& iters() const { return iters(stage); }
  bool needs_tiling(int of) const {
    return analysis.needs_multi_level_tiling[static_cast<std::size_t>(of)];
  }
  bool needs_tiling() const { return needs_tiling(stage); }
  bool on_gpu() const { return hardware.kind == Hardware::Kind::Gpu; }
};

enum class Answer : std::uint8_t {
  Skip,   // the rule has nothing to say here
  Apply,  // one way to go on; later rules may have others
  Only,   // the one way to go on: later rules are not asked
};

struct Draft {
  schedule::State state;
  int next;  // the stage to decide next; a finished sketch has -1
};

struct Rule {
  std::string name;
  std::function<Answer(const Site&)> condition;
  std::function<std::vector<Draft>(const Site&)> apply;
};

}  // namespace hone::space
