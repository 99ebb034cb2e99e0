#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "space/annotate/balanced.h"
#include "space/annotate/choices.h"
#include "space/annotate/unroll.h"

namespace hone::space {
namespace {

std::int64_t& entry(Decisions& decisions, int e) { return decisions[static_cast<std::size_t>(e)]; }

template <class List>
const auto& pick(const List& list, Random& random) {
  return list[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(list.size())))];
}

// Fisher and Yates.
std::vector<std::size_t> permutation(std::size_t n, Random& random) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t i = n; i > 1; --i) {
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
  }
  return order;
}

// A random divisor of `length`, from 2 to `most`; 1 when there is none.
std::int64_t random_divisor(std::int64_t length, std::int64_t most, Random& random) {
  std::vector<std::int64_t> divisors;
  for (std::int64_t d = 2; d <= std::min(length, most); ++d) {
    if (length % d == 0) divisors.push_back(d);
  }
  return divisors.empty() ? 1 : pick(divisors, random);
}

// Moves a factor from one level of the split to another.
bool move_factor(const SplitSite& site, Decisions& decisions, Random& random) {
  Lengths levels(1, 1);
  std::ranges::copy(lengths_of(site, decisions), std::back_inserter(levels));
  const std::int64_t inside =
      std::accumulate(levels.begin(), levels.end(), std::int64_t{1}, std::multiplies<>());
  if (site.extent % inside != 0) return change_balanced(site, decisions, random);
  levels.front() = site.extent / inside;
  const std::vector<std::size_t> order = permutation(levels.size(), random);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t from = order[i], to = order[(i + 1) % order.size()];
    const std::int64_t most = to + 1 == levels.size() ? kMaxInnermost / levels[to] : levels[from];
    const std::int64_t factor = random_divisor(levels[from], most, random);
    if (factor == 1) continue;
    levels[from] /= factor;
    levels[to] *= factor;
    std::copy(levels.begin() + 1, levels.end(), decisions.begin() + site.first);
    return true;
  }
  return false;
}

// Powers of two, which the width of a fetch may be; the limits of the machine say how many.
bool change_width(const SplitSite& site, Decisions& decisions, Random& random) {
  std::int64_t& width = entry(decisions, site.first);
  const std::int64_t old = width;
  width = std::int64_t{1} << random.below(5);
  return width != old;
}

std::vector<const SplitSite*> open_splits(const Outline& outline) {
  std::vector<const SplitSite*> sites;
  for (const SplitSite& site : outline.splits) {
    if (site.first > 0) sites.push_back(&site);
  }
  return sites;
}

std::vector<int> stages_with(const Outline& outline, int StageSites::* which) {
  std::vector<int> stages;
  for (int s = 0; s < outline.n_stages(); ++s) {
    if (outline.site(s).*which > 0) stages.push_back(s);
  }
  return stages;
}

}  // namespace

bool mutate_balanced(const SketchView& sketch, Decisions& decisions, Random& random) {
  std::vector<const SplitSite*> sites = open_splits(sketch.outline);
  std::erase_if(sites, [](const SplitSite* site) { return site->extent == 0; });
  return !sites.empty() && change_balanced(*pick(sites, random), decisions, random);
}

bool mutate_lengths(const SketchView& sketch, Decisions& decisions, Random& random) {
  const std::vector<const SplitSite*> sites = open_splits(sketch.outline);
  if (sites.empty()) return false;
  const SplitSite& site = *pick(sites, random);
  if (site.extent == 0) return change_width(site, decisions, random);
  return move_factor(site, decisions, random);
}

bool mutate_unroll(const SketchView& sketch, Decisions& decisions, Random& random) {
  const std::vector<int> stages = stages_with(sketch.outline, &StageSites::unroll);
  if (stages.empty()) return false;
  std::int64_t& limit = entry(decisions, sketch.outline.site(pick(stages, random)).unroll);
  const std::int64_t old = limit;
  limit = pick(unroll_limits(sketch.hardware.kind), random);
  return limit != old;
}

bool mutate_place(const SketchView& sketch, Decisions& decisions, Random& random) {
  const Outline& outline = sketch.outline;
  const std::vector<int> stages = stages_with(outline, &StageSites::place);
  if (stages.empty()) return false;
  const int stage = pick(stages, random);
  std::int64_t& place = entry(decisions, outline.site(stage).place);
  const std::int64_t old = std::exchange(place, 0);
  const Layout layout = layout_of(outline, decisions);
  const IterExtents extents = sketch.arithmetic.settle_all(decisions, layout);
  std::vector<std::int64_t> others = {0};
  for (const Place& other : candidate_places(outline, layout, extents, stage)) {
    others.push_back(to_entry(other));
  }
  std::erase(others, old);
  if (others.empty()) return false;
  place = pick(others, random);
  return true;
}

bool mutate_parallel(const SketchView& sketch, Decisions& decisions, Random& random) {
  const Outline& outline = sketch.outline;
  const Layout layout = layout_of(outline, decisions);
  std::vector<int> stages;
  for (const int s : stages_with(outline, &StageSites::parallel)) {
    const bool is_root = layout[static_cast<std::size_t>(s)].kind == Place::Kind::Root;
    if (is_root && max_parallel(outline, layout, s) > 1) stages.push_back(s);
  }
  if (stages.empty()) return false;
  const int stage = pick(stages, random);
  std::int64_t& count = entry(decisions, outline.site(stage).parallel);
  const std::int64_t old = count;
  count = 1 + random.below(max_parallel(outline, layout, stage));
  return count != old;
}

void fit_counts(const SketchView& sketch, Decisions& decisions) {
  const Outline& outline = sketch.outline;
  const Layout layout = layout_of(outline, decisions);
  IterExtents extents;  // only asked for when a stage has come back to the root
  for (int s = 0; s < outline.n_stages(); ++s) {
    const StageSites& sites = outline.site(s);
    const Place::Kind kind = layout[static_cast<std::size_t>(s)].kind;
    std::int64_t parallel = 0;
    if (sites.parallel > 0) {
      std::int64_t& count = entry(decisions, sites.parallel);
      if (kind != Place::Kind::Root) {
        count = 0;
      } else if (count == 0) {
        if (extents.empty()) extents = sketch.arithmetic.settle_all(decisions, layout);
        count = enough_parallel(sketch, layout, extents, s);
      }
      parallel = count = std::min<std::int64_t>(std::abs(count), max_parallel(outline, layout, s));
    }
    if (sites.vector > 0) {
      std::int64_t& count = entry(decisions, sites.vector);
      const int most =
          kind == Place::Kind::Inline ? 0 : max_vector(outline, layout, s, static_cast<int>(parallel));
      count = std::min<std::int64_t>(count, most);
    }
  }
}

}  // namespace hone::space
