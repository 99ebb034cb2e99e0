// Steps that split a loop: by given lengths, by those of an earlier split, or by a product of several.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "schedule/apply.h"

namespace hone::schedule {
namespace {

using Lengths = std::vector<std::optional<std::int64_t>>;

void check_lengths(const Stage& stage, const Lengths& lengths) {
  if (stage.iters.size() + lengths.size() > kMaxIterators) {
    throw UserError(fmt::format("{} would have more than {} iterators", stage.name, kMaxIterators));
  }
  std::int64_t product = 1;
  for (const auto& length : lengths) {
    if (length && *length <= 0) throw UserError(fmt::format("{} is no split length", *length));
    product = extent_product(product, length.value_or(1));
  }
}

// Splits `whole` in two and returns the numbers of the outer and the inner loop.
std::pair<int, int> split_loop(Stage& stage, int whole, std::int64_t size, bool by_parts) {
  const auto outer = static_cast<int>(stage.loops.size());
  const auto relation = static_cast<int>(stage.relations.size());
  stage.loops.insert(stage.loops.end(), 2, relation);
  stage.relations.push_back({Relation::Kind::Split, whole, outer, outer + 1, size, by_parts});
  return {outer, outer + 1};
}

// lengths.size() + 1 iterators in place of one. With a factor the rest is outermost and splitting goes
// from the inside out; with a number of parts the rest is innermost and it goes from the outside in.
void split(State& state, int stage_id, int iter, const Lengths& lengths, bool inner_to_outer) {
  Stage& stage = compute_stage(state, stage_id);
  const Iterator whole = iterator(stage, iter);
  check_lengths(stage, lengths);
  const std::size_t count = lengths.size();
  std::vector<Iterator> parts(count + 1, whole);
  for (std::size_t i = 0; i <= count; ++i) {
    parts[i].name = fmt::format("{}.{}", whole.name, i);
    parts[i].annotation = ir::LoopKind::Serial;
  }
  int rest = whole.loop;
  std::optional<std::int64_t> rest_extent = whole.extent;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t at = inner_to_outer ? count - 1 - k : k;
    const std::optional<std::int64_t> length = lengths[at];
    const auto [outer, inner] = split_loop(stage, rest, length.value_or(0), !inner_to_outer);
    Iterator& part = parts[inner_to_outer ? at + 1 : at];
    part.loop = inner_to_outer ? inner : outer;
    rest = inner_to_outer ? outer : inner;
    part.extent = rest_extent && length ? length : std::nullopt;
    rest_extent = part.extent ? std::optional((*rest_extent + *length - 1) / *length) : std::nullopt;
  }
  Iterator& last = parts[inner_to_outer ? 0 : count];
  last.loop = rest;
  last.extent = rest_extent;
  const auto place = stage.iters.erase(stage.iters.begin() + iter);
  stage.iters.insert(place, std::make_move_iterator(parts.begin()),
                     std::make_move_iterator(parts.end()));
  const auto added = static_cast<int>(count);
  move_attached(state, stage_id, [&](int at) { return at >= iter ? at + added : at; });
}

const Split& source_split(const State& state, int step) {
  const bool known = step >= 0 && step < static_cast<int>(state.steps.size());
  const auto* split =
      known ? std::get_if<Split>(&state.steps[static_cast<std::size_t>(step)]) : nullptr;
  if (split == nullptr)
    throw UserError(fmt::format("step {} to be followed is no earlier split", step));
  return *split;
}

// The product; open when a member is.
std::optional<std::int64_t> times(std::optional<std::int64_t> a, std::optional<std::int64_t> b) {
  return a && b ? std::optional(extent_product(*a, *b)) : std::nullopt;
}

}  // namespace

void apply_step(State& state, const Split& step) {
  split(state, step.stage, step.iter, step.lengths, step.inner_to_outer);
}

void apply_step(State& state, const FollowSplit& step) {
  const Lengths& source = source_split(state, step.source_step).lengths;
  if (step.n_split < 1 || step.n_split > static_cast<int>(source.size()) + 1) {
    throw UserError(
        fmt::format("{} parts cannot follow a split with {} lengths", step.n_split, source.size()));
  }
  const auto kept = source.begin() + step.n_split - 1;
  Lengths lengths(source.begin(), kept);
  std::optional<std::int64_t> last = 1;
  for (auto length = kept; length != source.end(); ++length) last = times(last, *length);
  lengths.push_back(last);
  split(state, step.stage, step.iter, lengths, true);
}

void apply_step(State& state, const FollowFusedSplit& step) {
  std::optional<std::int64_t> length = 1;
  for (const int source_step : step.source_steps) {
    const Lengths& source = source_split(state, source_step).lengths;
    if (step.level < 0 || step.level >= static_cast<int>(source.size())) {
      throw UserError(fmt::format("step {} has no length {}", source_step, step.level));
    }
    length = times(length, source[static_cast<std::size_t>(step.level)]);
  }
  split(state, step.stage, step.iter, {length}, step.factor);
}

}  // namespace hone::schedule
