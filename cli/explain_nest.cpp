#include "cli/explain_nest.h"

#include <algorithm>

namespace hone::cli {
namespace {

using feature::Aspect;
using schedule::NestLine;
using schedule::State;

bool is_about(Aspect aspect, ir::LoopKind kind) {
  switch (aspect) {
    case Aspect::Vector:
      return kind == ir::LoopKind::Vectorized;
    case Aspect::Unroll:
      return kind == ir::LoopKind::Unrolled;
    case Aspect::Parallel:
      return kind == ir::LoopKind::Parallel;
    case Aspect::Threads:
      return ir::is_thread_loop(kind);
    default:
      return false;
  }
}

class Placer {
 public:
  Placer(const State& state, const std::vector<NestLine>& lines) : state_(state), lines_(lines) {}

  // The line where the aspect shows; the number of lines when there is none.
  std::size_t line_of(const tune::ExplainedAspect& explained) const {
    for (int stage = explained.stage; stage >= 0; stage = around(stage)) {
      const auto found = std::ranges::find_if(
          lines_, [&](const NestLine& line) { return shows(line, stage, explained.aspect); });
      if (found != lines_.end()) return static_cast<std::size_t>(found - lines_.begin());
    }
    const auto store = std::ranges::find_if(lines_, [&](const NestLine& line) {
      return line.kind == NestLine::Kind::Store && line.stage == explained.stage;
    });
    return static_cast<std::size_t>(store - lines_.begin());
  }

 private:
  const schedule::Stage& stage_at(int stage) const {
    return state_.stages[static_cast<std::size_t>(stage)];
  }
  // The stage at whose loop this one is computed; -1: it is at the root.
  int around(int stage) const {
    const schedule::Stage& inner = stage_at(stage);
    return inner.location == schedule::Location::Iter ? inner.attach_stage : -1;
  }
  bool shows(const NestLine& line, int stage, Aspect aspect) const {
    if (line.stage != stage) return false;
    if (line.kind == NestLine::Kind::Pragma)
      return aspect == Aspect::Unroll && line.text.find("auto_unroll") != std::string::npos;
    return line.kind == NestLine::Kind::Loop &&
           is_about(aspect, stage_at(stage).iters[static_cast<std::size_t>(line.iter)].annotation);
  }

  const State& state_;
  const std::vector<NestLine>& lines_;
};

}  // namespace

std::vector<ExplainedLine> explained_nest(const tune::Explanation& explanation) {
  const std::vector<NestLine> lines = schedule::nest_lines(explanation.state);
  std::vector<ExplainedLine> out;
  for (const NestLine& line : lines) out.push_back({line.text, line.stage, {}});
  out.push_back({"(whole program)", -1, {}});
  const Placer placer(explanation.state, lines);
  for (const tune::ExplainedAspect& aspect : explanation.aspects)
    out[placer.line_of(aspect)].aspects.push_back(aspect);
  return out;
}

}  // namespace hone::cli
