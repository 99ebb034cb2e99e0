// TVM's text of a state.
#include <fmt/format.h>

#include <algorithm>

#include "schedule/state.h"
#include "schedule/var_name.h"

namespace hone::schedule {
namespace {

std::string_view word(ir::LoopKind kind) {
  constexpr std::string_view kWords[] = {"for",         "unroll",     "vectorize",   "parallel",
                                         "vthread",     "blockIdx.x", "threadIdx.x", "blockIdx.y",
                                         "threadIdx.y", "blockIdx.z", "threadIdx.z", "tensorize"};
  return kWords[static_cast<std::size_t>(kind)];
}

class Printer {
 public:
  explicit Printer(const State& state) : state_(state), names_(state) {}

  std::string run() {
    print_placeholders();
    for (std::size_t i = 0; i < state_.stages.size(); ++i) {
      const bool at_root = state_.stages[i].location == Location::Root;
      if (at_root && !state_.task->ops[i].is_placeholder()) print_stage(static_cast<int>(i), 0);
    }
    return std::move(out_);
  }

 private:
  void line(int depth, std::string_view text) {
    out_.append(static_cast<std::size_t>(depth) * 2, ' ').append(text).push_back('\n');
  }

  void print_placeholders() {
    out_ = "Placeholder: ";
    bool first = true;
    for (std::size_t i = 0; i < state_.stages.size(); ++i) {
      if (!state_.task->ops[i].is_placeholder()) continue;
      if (!first) out_ += ", ";
      out_ += state_.stages[i].name;
      first = false;
    }
    out_ += '\n';
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
      line(depth, fmt::format("{} auto_unroll: {}", stage.name, stage.auto_unroll_max_step));
    }
    if (stage.align_offset > 0) {
      line(depth, fmt::format("{} storage_offset: {}", stage.name, stage.align_offset));
    }
    for (const Ahead& ahead : stage.ahead) {
      line(depth,
           fmt::format("{} prefetch: {} {}", stage.name,
                       state_.stages[static_cast<std::size_t>(ahead.operand)].name, ahead.iterations));
    }
    for (std::size_t i = 0; i < stage.iters.size(); ++i) {
      const Iterator& iter = stage.iters[i];
      if (iter.extent != 1) {
        line(depth, fmt::format("{} {} {}", word(iter.annotation), iter.name, range(stage_id, iter)));
        ++depth;
      }
      for (const int other : attached(stage_id, static_cast<int>(i))) print_stage(other, depth);
    }
    line(depth, fmt::format("{} = ...", stage.name));
  }

  const State& state_;
  VarNames names_;
  std::string out_;
};

}  // namespace

std::string print(const State& state) { return Printer(state).run(); }

}  // namespace hone::schedule
