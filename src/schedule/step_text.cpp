#include "schedule/step_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "schedule/nest_lines.h"

namespace hone::schedule {
namespace {

class Words {
 public:
  Words(const State& state, const Step& step) : state_(state), stage_(stage_of(step)) {}

  StepText operator()(const Annotate& step) const {
    const bool is_plain = step.annotation == ir::LoopKind::Serial;
    return about(step.iter, "AN", std::string(is_plain ? "plain" : loop_word(step.annotation)));
  }
  StepText operator()(const Fuse& step) const { return about("FU", names(step.iters)); }
  StepText operator()(const Pragma& step) const {
    constexpr std::string_view kUnroll = "auto_unroll_max_step$";
    const bool is_unroll = step.text.starts_with(kUnroll);
    return about("PR", is_unroll ? "unroll " + step.text.substr(kUnroll.size()) : step.text);
  }
  StepText operator()(const Reorder& step) const { return about("RE", names(step.order)); }
  StepText operator()(const Split& step) const { return about(step.iter, "SP", levels(step)); }
  StepText operator()(const FollowSplit& step) const {
    return about(step.iter, "FSP", fmt::format("as step {}", step.source_step));
  }
  StepText operator()(const FollowFusedSplit& step) const {
    return about(step.iter, "FFSP", fmt::format("as steps {}", fmt::join(step.source_steps, " ")));
  }
  StepText operator()(const StorageAlign& step) const {
    return about(step.iter, "SA", fmt::format("{} off {}", step.offset, step.factor));
  }
  StepText operator()(const ComputeAt& step) const {
    return about("CA", fmt::format("at {} {}", stage_name(step.target_stage),
                                   iter_name(step.target_stage, step.target_iter)));
  }
  StepText operator()(const ComputeInline&) const { return about("CI", "inlined"); }
  StepText operator()(const ComputeRoot&) const { return about("CR", "at the root"); }
  StepText operator()(const CacheRead& step) const {
    std::string readers;
    for (const int reader : step.readers) readers += " " + stage_name(reader);
    return about("CHR", fmt::format("{} for{}", step.scope, readers));
  }
  StepText operator()(const CacheWrite& step) const { return about("CHW", step.scope); }
  StepText operator()(const Rfactor& step) const {
    return about(step.iter, "RF", fmt::format("as axis {}", step.factor_iter));
  }
  StepText operator()(const Prefetch& step) const {
    return about(step.iter, "PF",
                 fmt::format("{} {} ahead", stage_name(step.operand), step.iterations));
  }

 private:
  std::string stage_name(int stage) const {
    const auto number = static_cast<std::size_t>(stage);
    return number < state_.stages.size() ? state_.stages[number].name : fmt::format("s{}", stage);
  }
  const Iterator* iterator(int stage, int iter) const {
    const auto s = static_cast<std::size_t>(stage), i = static_cast<std::size_t>(iter);
    if (s >= state_.stages.size() || i >= state_.stages[s].iters.size()) return nullptr;
    return &state_.stages[s].iters[i];
  }
  std::string iter_name(int stage, int iter) const {
    const Iterator* const found = iterator(stage, iter);
    return found != nullptr ? found->name : fmt::format("i{}", iter);
  }
  std::string names(const std::vector<int>& iters) const {
    std::string text;
    for (const int iter : iters) text += (text.empty() ? "" : " ") + iter_name(stage_, iter);
    return text;
  }
  // All lengths, the outermost first; one that is open or not known is `?`.
  std::string levels(const Split& step) const {
    std::int64_t inside = 1;
    std::string text;
    for (const std::optional<std::int64_t>& length : step.lengths) {
      inside *= length.value_or(0);
      text += length ? fmt::format("x{}", *length) : "x?";
    }
    const Iterator* const whole = iterator(stage_, step.iter);
    if (whole == nullptr || !whole->extent || inside == 0) return "?" + text;
    return fmt::format("{}{}", (*whole->extent + inside - 1) / inside, text);
  }

  StepText about(const char* code, std::string value) const {
    return {fmt::format("{} {}", code, stage_name(stage_)), std::move(value)};
  }
  StepText about(int iter, const char* code, std::string value) const {
    return {fmt::format("{} {} {}", code, stage_name(stage_), iter_name(stage_, iter)),
            std::move(value)};
  }

  const State& state_;
  const int stage_;
};

}  // namespace

StepText text_of(const State& state, const Step& step) { return std::visit(Words(state, step), step); }

std::string other_value(const State& state, const Step& step, const Step& other) {
  const auto* const order = std::get_if<Reorder>(&step);
  const auto* const changed = std::get_if<Reorder>(&other);
  if (order == nullptr || changed == nullptr) return text_of(state, other).value;
  const auto [here, there] = std::ranges::mismatch(order->order, changed->order);
  if (there == changed->order.end()) return text_of(state, other).value;
  Reorder swapped = *order;
  std::swap(*(swapped.order.begin() + (here - order->order.begin())),
            *std::ranges::find(swapped.order, *there));
  if (swapped != *changed) return text_of(state, other).value;
  const Stage& stage = state.stages[static_cast<std::size_t>(order->stage)];
  return fmt::format("{} before {}", stage.iters[static_cast<std::size_t>(*there)].name,
                     stage.iters[static_cast<std::size_t>(*here)].name);
}

std::vector<StepText> step_texts(std::shared_ptr<const task::Task> task, const Steps& steps) {
  State state = initial_state(std::move(task));
  std::vector<StepText> texts;
  for (const Step& step : steps) {
    texts.push_back(text_of(state, step));
    apply(state, step);
  }
  return texts;
}

}  // namespace hone::schedule
