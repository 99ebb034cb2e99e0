#include "space/annotate/sketch_family.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "schedule/original_ops.h"
#include "space/annotate/cpu_steps.h"
#include "space/annotate/gpu_steps.h"
#include "space/annotate/unroll.h"
#include "space/same_steps.h"

namespace hone::space {
namespace {

Outline make_outline(const std::shared_ptr<const task::Task>& task, const schedule::Steps& sketch,
                     const Hardware& hardware, Factorings& factorings) {
  if (hardware.kind == Hardware::Kind::Cpu) {
    Outline outline = outline_of(task, sketch, factorings);
    add_cpu_sites(outline);
    return outline;
  }
  Outline outline = outline_of(task, with_threads(task, sketch, hardware), factorings);
  for (const schedule::Step& step : outline.steps) {
    const auto* pragma = std::get_if<schedule::Pragma>(&step);
    if (pragma == nullptr) continue;
    StageSites& sites = outline.sites[static_cast<std::size_t>(pragma->stage)];
    sites.unroll = add_entries(outline, Meaning::Unroll, pragma->stage);
  }
  return outline;
}

struct Mutation {
  double weight;
  bool (*apply)(const SketchView&, Decisions&, Random&);
};
constexpr Mutation kCpuMutations[] = {
    {0.90, mutate_lengths}, {0.04, mutate_unroll}, {0.05, mutate_place}, {0.01, mutate_parallel}};
// hone's own: Ansor's, and sizes that need not divide.
constexpr Mutation kHoneMutations[] = {{0.70, mutate_lengths},
                                       {0.20, mutate_balanced},
                                       {0.04, mutate_unroll},
                                       {0.05, mutate_place},
                                       {0.01, mutate_parallel}};
constexpr Mutation kGpuMutations[] = {{0.90, mutate_lengths}, {0.10, mutate_unroll}};

std::ptrdiff_t draw_by_weight(const std::vector<Mutation>& mutations, Random& random) {
  double sum = 0;
  for (const Mutation& mutation : mutations) sum += mutation.weight;
  double point = random.unit() * sum;
  std::size_t at = 0;
  while (at + 1 < mutations.size() && point >= mutations[at].weight) point -= mutations[at++].weight;
  return static_cast<std::ptrdiff_t>(at);
}

}  // namespace

SketchFamily::SketchFamily(int number, const std::shared_ptr<const task::Task>& task,
                           const schedule::Steps& sketch, const Hardware& hardware,
                           Factorings& factorings, std::optional<target::Target> target)
    : number_(number),
      hardware_(hardware),
      target_(std::move(target)),
      outline_(make_outline(task, sketch, hardware, factorings)),
      ops_(schedule::original_ops(outline_.state)),
      arithmetic_(outline_),
      limits_(outline_, hardware_) {}

bool SketchFamily::is_mine(const Decisions& decisions) const {
  if (decisions.size() != outline_.entries.size() || decisions.front() != number_) return false;
  for (std::size_t e = 1; e < decisions.size(); ++e) {
    const Meaning meaning = outline_.entries[e].meaning;
    if (meaning == Meaning::Length && decisions[e] < 1) return false;
    if (meaning == Meaning::Unroll && decisions[e] < 0) return false;
  }
  return true;
}

std::optional<schedule::Steps> SketchFamily::decode(const Decisions& decisions) const {
  if (!is_mine(decisions)) return std::nullopt;
  schedule::Steps steps;
  steps.reserve(outline_.steps.size() + 4 * outline_.state.stages.size());
  steps = outline_.steps;
  for (const SplitSite& site : outline_.splits) {
    auto& lengths = std::get<schedule::Split>(steps[static_cast<std::size_t>(site.step)]).lengths;
    std::ranges::copy(lengths_of(site, decisions), lengths.begin());
  }
  if (is_cpu()) {
    if (!write_cpu_steps(outline_, decisions, steps)) return std::nullopt;
    return steps;
  }
  for (schedule::Step& step : steps) {
    auto* pragma = std::get_if<schedule::Pragma>(&step);
    if (pragma == nullptr) continue;
    const int entry = outline_.site(pragma->stage).unroll;
    *pragma = unroll_pragma(pragma->stage, decisions[static_cast<std::size_t>(entry)]);
  }
  return steps;
}

std::optional<Decisions> SketchFamily::read(const schedule::Steps& steps) const {
  if (steps.size() < outline_.steps.size()) return std::nullopt;
  Decisions decisions(outline_.entries.size(), 0);
  decisions.front() = number_;
  for (const SplitSite& site : outline_.splits) {
    const auto* split = std::get_if<schedule::Split>(&steps[static_cast<std::size_t>(site.step)]);
    if (split == nullptr || static_cast<int>(split->lengths.size()) != site.count) return std::nullopt;
    if (site.first == 0) continue;
    std::ranges::transform(split->lengths, decisions.begin() + site.first,
                           [](const auto& length) { return length.value_or(0); });
  }
  // On a GPU all steps are the sketch's, and pragmas are the only ones to read.
  const std::span all(steps);
  read_annotation(outline_, is_cpu() ? all.subspan(outline_.steps.size()) : all, decisions);
  return decisions;
}

std::optional<Decisions> SketchFamily::encode(const schedule::Steps& steps) const {
  std::optional<Decisions> decisions = read(steps);
  const std::optional<schedule::Steps> again = decisions ? decode(*decisions) : std::nullopt;
  return again && is_same(*again, steps) ? decisions : std::nullopt;
}

std::optional<Decisions> SketchFamily::fit(const schedule::Steps& steps) const {
  std::optional<Decisions> decisions = read(steps);
  const std::optional<schedule::Steps> again = decisions ? decode(*decisions) : std::nullopt;
  if (!again || !is_alike(*again, steps)) return std::nullopt;
  fit_lengths(view(), *decisions);
  return settle(std::move(*decisions));
}

std::optional<Decisions> SketchFamily::sample(Random& random) const {
  Decisions decisions(outline_.entries.size(), 0);
  decisions.front() = number_;
  draw_lengths(view(), decisions, random);
  if (!is_cpu() && !limits_.allow(decisions)) return std::nullopt;
  draw_unroll(view(), decisions, random);
  if (is_cpu()) draw_places(view(), decisions, random);
  return is_worthwhile(decisions) ? std::optional(std::move(decisions)) : std::nullopt;
}

bool SketchFamily::is_worthwhile(const Decisions& decisions) const {
  return !target_ || fits(usage_of(view(), decisions, target_->vector_bits), *target_);
}

std::optional<Decisions> SketchFamily::mutate(const Decisions& decisions, Random& random) const {
  const std::span<const Mutation> mutations = !is_cpu() ? std::span<const Mutation>(kGpuMutations)
                                              : target_ ? std::span<const Mutation>(kHoneMutations)
                                                        : std::span<const Mutation>(kCpuMutations);
  std::vector<Mutation> left(mutations.begin(), mutations.end());
  while (!left.empty()) {
    const auto mutation = left.begin() + draw_by_weight(left, random);
    Decisions mutant = decisions;
    if (mutation->apply(view(), mutant, random)) return settle(std::move(mutant));
    left.erase(mutation);  // a task without tiles has nothing to change there
  }
  return std::nullopt;
}

std::optional<Decisions> SketchFamily::settle(Decisions mixed) const {
  if (!is_mine(mixed)) return std::nullopt;
  if (!is_cpu()) return limits_.allow(mixed) ? std::optional(std::move(mixed)) : std::nullopt;
  fit_counts(view(), mixed);
  schedule::Steps steps;
  const bool is_candidate = write_cpu_steps(outline_, mixed, steps) && is_worthwhile(mixed);
  return is_candidate ? std::optional(std::move(mixed)) : std::nullopt;
}

std::vector<Decisions> SketchFamily::neighbours(const Decisions& decisions) const {
  std::set<Decisions> found;
  for (Decisions& other : one_step_away(view(), decisions)) {
    std::optional<Decisions> settled = settle(std::move(other));
    if (settled && *settled != decisions) found.insert(std::move(*settled));
  }
  return {found.begin(), found.end()};
}

std::string SketchFamily::print(const Decisions& decisions) const {
  std::string text = fmt::format("sketch {}:", number_);
  const auto value = [&](int entry) { return decisions[static_cast<std::size_t>(entry)]; };
  for (const SplitSite& site : outline_.splits) {
    if (site.first == 0) continue;
    text += fmt::format(
        " {}.{}=[{}]", outline_.stage(outline_.entries[static_cast<std::size_t>(site.first)].node).name,
        site.loop, fmt::join(lengths_of(site, decisions), ","));
  }
  for (int s = 0; s < outline_.n_stages(); ++s) {
    const StageSites& sites = outline_.site(s);
    std::string part;
    if (sites.place > 0) {
      const Place place = place_from(value(sites.place));
      if (place.kind == Place::Kind::At) {
        part += fmt::format(" at {}.{}", outline_.stage(place.stage).name, place.iter);
      }
      if (place.kind == Place::Kind::Inline) part += " inline";
    }
    if (sites.parallel > 0 && value(sites.parallel) != 0) {
      part += fmt::format(" parallel {}", value(sites.parallel));
    }
    if (sites.unroll > 0) part += fmt::format(" unroll {}", value(sites.unroll));
    if (sites.vector > 0 && value(sites.vector) != 0)
      part += fmt::format(" vector {}", value(sites.vector));
    if (!part.empty()) text += fmt::format("; {}{}", outline_.stage(s).name, part);
  }
  return text;
}

}  // namespace hone::space
