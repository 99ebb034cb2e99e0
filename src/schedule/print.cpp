// TVM's text of a state.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/nest_lines.h"
#include "schedule/state.h"
#include "schedule/var_name.h"

namespace hone::schedule {
namespace {

class Printer {
 public:
  explicit Printer(const State& state) : state_(state), names_(state) {}

  std::vector<NestLine> run() {
    print_placeholders();
    for (std::size_t i = 0; i < state_.stages.size(); ++i) {
      const bool at_root = state_.stages[i].location == Location::Root;
      if (at_root && !state_.task->ops[i].is_placeholder()) print_stage(static_cast<int>(i), 0);
    }
    return std::move(out_);
  }

 private:
  void line(NestLine::Kind kind, int depth, std::string_view text, int stage, int iter = -1) {
    out_.push_back(
        {kind, std::string(static_cast<std::size_t>(depth) * 2, ' ').append(text), stage, iter});
  }
  void pragma(int depth, std::string_view text, int stage) {
    line(NestLine::Kind::Pragma, depth, text, stage);
  }

  void print_placeholders() {
    std::string text = "Placeholder: ";
    bool first = true;
    for (std::size_t i = 0; i < state_.stages.size(); ++i) {
      if (!state_.task->ops[i].is_placeholder()) continue;
      if (!first) text += ", ";
      text += state_.stages[i].name;
      first = false;
    }
    line(NestLine::Kind::Inputs, 0, text, -1);
  }

  // "(0,64)": the least value is printed as TVM's simplifier leaves it.
  std::string range(int stage_id, const Iterator& iter) const {
    if (!iter.extent) return "(None)";
    if (state_.bounds.is_empty()) return fmt::format("(0,{})", *iter.extent);
    const auto& region = state_.bounds.stages[static_cast<std::size_t>(stage_id)].region;
    const auto loop = static_cast<std::size_t>(iter.loop);
    if (loop >= region.size()) return fmt::format("(0,{})", *iter.extent);
    return fmt::format("({},{})", names_.print(region[loop].min), *iter.extent);
  }

  std::vector<int> attached(int stage_id, int iter) const {
    std::vector<int> found;
    for (std::size_t i = 0; i < state_.stages.size(); ++i) {
      const Stage& stage = state_.stages[i];
      if (stage.location == Location::Iter && stage.attach_stage == stage_id &&
          stage.attach_iter == iter) {
        found.push_back(static_cast<int>(i));
      }
    }
    std::sort(found.begin(), found.end(), [&](int a, int b) {
      return state_.stages[static_cast<std::size_t>(a)].attach_order <
             state_.stages[static_cast<std::size_t>(b)].attach_order;
    });
    return found;
  }

  void print_stage(int stage_id, int depth) {
    const Stage& stage = state_.stages[static_cast<std::size_t>(stage_id)];
    if (stage.auto_unroll_max_step > 0) {
      pragma(depth, fmt::format("{} auto_unroll: {}", stage.name, stage.auto_unroll_max_step),
             stage_id);
    }
    if (stage.align_offset > 0) {
      pragma(depth, fmt::format("{} storage_offset: {}", stage.name, stage.align_offset), stage_id);
    }
    for (const Ahead& ahead : stage.ahead) {
      pragma(depth,
             fmt::format("{} prefetch: {} {}", stage.name,
                         state_.stages[static_cast<std::size_t>(ahead.operand)].name, ahead.iterations),
             stage_id);
    }
    for (std::size_t i = 0; i < stage.iters.size(); ++i) {
      const Iterator& iter = stage.iters[i];
      if (iter.extent != 1) {
        line(NestLine::Kind::Loop, depth,
             fmt::format("{} {} {}", loop_word(iter.annotation), iter.name, range(stage_id, iter)),
             stage_id, static_cast<int>(i));
        ++depth;
      }
      for (const int other : attached(stage_id, static_cast<int>(i))) print_stage(other, depth);
    }
    line(NestLine::Kind::Store, depth, fmt::format("{} = ...", stage.name), stage_id);
  }

  const State& state_;
  VarNames names_;
  std::vector<NestLine> out_;
};

}  // namespace

std::string_view loop_word(ir::LoopKind kind) {
  constexpr std::string_view kWords[] = {"for",         "unroll",     "vectorize",   "parallel",
                                         "vthread",     "blockIdx.x", "threadIdx.x", "blockIdx.y",
                                         "threadIdx.y", "blockIdx.z", "threadIdx.z", "tensorize"};
  return kWords[static_cast<std::size_t>(kind)];
}

std::vector<NestLine> nest_lines(const State& state) { return Printer(state).run(); }

std::string print(const State& state) {
  std::string text;
  for (const NestLine& line : nest_lines(state)) text.append(line.text).push_back('\n');
  return text;
}

}  // namespace hone::schedule
