#include <algorithm>
#include <numeric>

#include "space/annotate/balanced.h"
#include "space/annotate/choices.h"
#include "space/annotate/unroll.h"
#include "space/factors.h"

namespace hone::space {
namespace {

class Neighbours {
 public:
  Neighbours(const SketchView& sketch, const Decisions& decisions)
      : sketch_(sketch), decisions_(decisions) {}

  std::vector<Decisions> run() {
    const Outline& outline = sketch_.outline;
    for (const SplitSite& site : outline.splits) {
      if (site.first > 0) site.extent == 0 ? widths(site) : lengths(site);
    }
    for (int s = 0; s < outline.n_stages(); ++s) {
      const StageSites& sites = outline.site(s);
      if (sites.unroll > 0) unroll(sites.unroll);
      if (sites.place > 0) place(s);
      if (sites.parallel > 0) count(sites.parallel, 1);
      if (sites.vector > 0) count(sites.vector, 0);
    }
    return std::move(found_);
  }

 private:
  void add(int entry, std::int64_t value) {
    Decisions other = decisions_;
    other[static_cast<std::size_t>(entry)] = value;
    if (other != decisions_) found_.push_back(std::move(other));
  }
  std::int64_t value(int entry) const { return decisions_[static_cast<std::size_t>(entry)]; }

  void lengths(const SplitSite& site) {
    dividing_lengths(site);
    if (!sketch_.any_size) return;
    for (const Lengths& other : balanced_neighbours(site, decisions_)) add(site, other);
  }
  void add(const SplitSite& site, const Lengths& lengths) {
    Decisions other = decisions_;
    std::ranges::copy(lengths, other.begin() + site.first);
    found_.push_back(std::move(other));
  }
  // The least prime factor of one level goes to another.
  void dividing_lengths(const SplitSite& site) {
    Lengths levels(1, 1);
    std::ranges::copy(lengths_of(site, decisions_), std::back_inserter(levels));
    const std::int64_t inside =
        std::accumulate(levels.begin(), levels.end(), std::int64_t{1}, std::multiplies<>());
    if (site.extent % inside != 0) return;
    levels.front() = site.extent / inside;
    for (std::size_t from = 0; from < levels.size(); ++from) {
      if (levels[from] == 1) continue;
      const std::int64_t factor = least_prime_factor(levels[from]);
      for (std::size_t to = 0; to < levels.size(); ++to) {
        const bool is_innermost = to + 1 == levels.size();
        if (to == from || (is_innermost && levels[to] * factor > kMaxInnermost)) continue;
        Lengths moved = levels;
        moved[from] /= factor;
        moved[to] *= factor;
        add(site, {moved.begin() + 1, moved.end()});
      }
    }
  }
  void widths(const SplitSite& site) {
    add(site.first, value(site.first) * 2);
    add(site.first, std::max<std::int64_t>(value(site.first) / 2, 1));
  }
  void unroll(int entry) {
    const auto limits = unroll_limits(sketch_.hardware.kind);
    const auto above = std::ranges::upper_bound(limits, value(entry));
    const auto at = std::ranges::lower_bound(limits, value(entry));
    if (above != limits.end()) add(entry, *above);
    if (at != limits.begin()) add(entry, *(at - 1));
  }
  void place(int stage) {
    const int entry = sketch_.outline.site(stage).place;
    Decisions there = decisions_;
    there[static_cast<std::size_t>(entry)] = 0;
    const Layout layout = layout_of(sketch_.outline, there);
    const IterExtents extents = sketch_.arithmetic.settle_all(there, layout);
    add(entry, 0);
    for (const Place& other : candidate_places(sketch_.outline, layout, extents, stage)) {
      add(entry, to_entry(other));
    }
  }
  void count(int entry, std::int64_t least) {
    add(entry, value(entry) + 1);
    add(entry, std::max(value(entry) - 1, least));
  }

  const SketchView& sketch_;
  const Decisions& decisions_;
  std::vector<Decisions> found_;
};

}  // namespace

std::vector<Decisions> one_step_away(const SketchView& sketch, const Decisions& decisions) {
  return Neighbours(sketch, decisions).run();
}

}  // namespace hone::space
