#include "space/annotate/outline.h"

#include <algorithm>

#include "base/match.h"

namespace hone::space {
namespace {

using schedule::IterKind;

// Applies the steps one by one and keeps, beside the state, what its splits are made of.
class OutlineMaker {
 public:
  OutlineMaker(const std::shared_ptr<const task::Task>& task, Factorings& factorings)
      : factorings_(factorings) {
    out_.state = schedule::initial_state(task);
    add_entries(out_, Meaning::Family, -1);
    for (const task::Op& op : task->ops) out_.loops.push_back(fresh_loops(op));
  }

  Outline run(const schedule::Steps& sketch) {
    for (const schedule::Step& step : sketch) apply(step);
    out_.steps = sketch;
    out_.analysis = task::analyse(*out_.state.task);
    for (int s = 0; s < out_.n_stages(); ++s) add_facts(s);
    return std::move(out_);
  }

 private:
  static Loops fresh_loops(const task::Op& op) {
    Loops loops;
    for (const auto* axes : {&op.axes, &op.reduce_axes}) {
      for (const task::Axis& axis : *axes) loops.axes.push_back({axis.extent});
    }
    return loops;
  }
  Loops& loops(int s) { return out_.loops[static_cast<std::size_t>(s)]; }

  void apply(const schedule::Step& step) {
    match(
        step, [&](const schedule::Split& s) { add_split(s); },
        [&](const schedule::Rfactor& s) { keep_factored(s); }, [](const auto&) {});
    schedule::apply(out_.state, step);
    match(
        step, [&](const schedule::CacheRead& s) { insert(s.stage + 1); },
        [&](const schedule::CacheWrite& s) { insert(s.stage), reset(s.stage + 1); },
        [&](const schedule::Rfactor& s) { factor(s); },
        [&](const schedule::Split& s) { label(s.stage, s.inner_to_outer, lengths_of(s)); },
        [&](const schedule::FollowSplit& s) { label(s.stage, true, followed(s)); },
        [&](const schedule::FollowFusedSplit& s) { label(s.stage, s.factor, {fused(s)}); },
        [&](const auto& s) { label(s.stage, true, {}); });
  }

  void add_split(const schedule::Split& step) {
    SplitSite site;
    site.step = static_cast<int>(out_.state.steps.size());
    site.loop = out_.stage(step.stage).iters.at(static_cast<std::size_t>(step.iter)).name;
    site.extent = step.extent.value_or(0);
    site.count = static_cast<int>(step.lengths.size());
    for (const auto& length : step.lengths) {
      if (length) site.fallback.push_back(*length);
    }
    if (site.fallback.size() != step.lengths.size()) site.fallback.clear();
    if (site.extent == 1) {
      if (site.fallback.empty()) site.fallback.assign(step.lengths.size(), 1);
    } else {
      site.first = add_entries(out_, Meaning::Length, step.stage, site.count);
      if (site.extent > 0) site.factorings = factorings_.of(site.extent, site.count);
    }
    out_.splits.push_back(std::move(site));
  }

  const SplitSite& site_of(int step) const {
    return *std::ranges::find(out_.splits, step, &SplitSite::step);
  }
  static Size length_of(const SplitSite& site, int i) {
    return site.first > 0 ? Size{1, {site.first + i}}
                          : Size{site.fallback[static_cast<std::size_t>(i)]};
  }
  std::vector<Size> lengths_of(const schedule::Split&) const {
    std::vector<Size> sizes;
    for (int i = 0; i < out_.splits.back().count; ++i)
      sizes.push_back(length_of(out_.splits.back(), i));
    return sizes;
  }
  std::vector<Size> followed(const schedule::FollowSplit& step) const {
    const SplitSite& source = site_of(step.source_step);
    std::vector<Size> sizes;
    for (int i = 0; i + 1 < step.n_split; ++i) sizes.push_back(length_of(source, i));
    Size rest;
    for (int i = step.n_split - 1; i < source.count; ++i) multiply(rest, length_of(source, i));
    sizes.push_back(rest);
    return sizes;
  }
  Size fused(const schedule::FollowFusedSplit& step) const {
    Size size;
    for (const int source_step : step.source_steps) {
      multiply(size, length_of(site_of(source_step), step.level));
    }
    return size;
  }

  // The relations that a step added, with the sizes it gave; what a split by factors made first is
  // innermost.
  void label(int s, bool inner_to_outer, std::vector<Size> sizes) {
    if (inner_to_outer) std::ranges::reverse(sizes);
    Loops& made = loops(s);
    made.relations = out_.state.stages[static_cast<std::size_t>(s)].relations;
    for (Size& size : sizes) made.sizes.push_back(std::move(size));
    made.sizes.resize(made.relations.size());
  }

  // Entries of stages from `position` on belong to stages one further.
  void shift_nodes(int position) {
    for (Entry& entry : out_.entries) entry.node += entry.node >= position ? 1 : 0;
  }
  void insert(int position) {
    shift_nodes(position);
    out_.loops.insert(out_.loops.begin() + position,
                      fresh_loops(out_.state.task->ops[static_cast<std::size_t>(position)]));
  }
  void reset(int s) { loops(s) = fresh_loops(out_.op(s)); }

  void keep_factored(const schedule::Rfactor& step) {
    out_.factored.push_back(loops(step.stage));
    const schedule::Stage& stage = out_.stage(step.stage);
    factored_loop_ = stage.iters.at(static_cast<std::size_t>(step.iter)).loop;
    kept_loops_.clear();
    for (const schedule::Iterator& iter : stage.iters) {
      const bool is_made = stage.loops[static_cast<std::size_t>(iter.loop)] >= 0;
      if (is_made && iter.loop != factored_loop_) kept_loops_.push_back(iter.loop);
    }
  }
  // The split in front of rfactor stays with the partial results, where most of the work is.
  void factor(const schedule::Rfactor& step) {
    const int from = static_cast<int>(out_.factored.size()) - 1;
    insert(step.stage);
    for (std::size_t e = 0; e < out_.entries.size(); ++e) {
      const bool is_its_split =
          out_.splits.back().first > 0 && static_cast<int>(e) >= out_.splits.back().first;
      if (is_its_split) out_.entries[e].node = step.stage;
    }
    reset(step.stage + 1);
    Loops& partial = loops(step.stage);
    partial.axes[static_cast<std::size_t>(step.factor_iter)] = {1, from, factored_loop_};
    std::size_t axis = partial.axes.size() - kept_loops_.size();
    for (const int loop : kept_loops_) partial.axes[axis++] = {1, from, loop};
    loops(step.stage + 1).axes.back() = {1, from, factored_loop_};
  }

  void add_facts(int s) {
    const task::Op& op = out_.op(s);
    const schedule::Stage& stage = out_.stage(s);
    StageFacts facts;
    facts.is_computed = !op.is_placeholder() && stage.location != schedule::Location::Inlined;
    facts.is_tiled = stage.iters.size() != op.axes.size() + op.reduce_axes.size();
    facts.needs_tiling = out_.analysis.needs_multi_level_tiling[static_cast<std::size_t>(s)];
    facts.has_reduction = std::ranges::any_of(
        stage.iters, [](const auto& iter) { return iter.kind == IterKind::Reduction; });
    out_.facts.push_back(facts);
    out_.sites.emplace_back();
  }

  Factorings& factorings_;
  Outline out_;
  int factored_loop_ = -1;
  std::vector<int> kept_loops_;
};

}  // namespace

std::span<const std::int64_t> lengths_of(const SplitSite& site, const Decisions& decisions) {
  if (site.first == 0) return site.fallback;
  return std::span(decisions).subspan(static_cast<std::size_t>(site.first),
                                      static_cast<std::size_t>(site.count));
}

void multiply(Size& size, const Size& by) {
  size.constant *= by.constant;
  size.entries.insert(size.entries.end(), by.entries.begin(), by.entries.end());
}

std::int64_t Size::value(const Decisions& decisions) const {
  std::int64_t product = constant;
  for (const int entry : entries) product *= decisions[static_cast<std::size_t>(entry)];
  return product;
}

Outline outline_of(const std::shared_ptr<const task::Task>& task, const schedule::Steps& sketch,
                   Factorings& factorings) {
  return OutlineMaker(task, factorings).run(sketch);
}

int add_entries(Outline& outline, Meaning meaning, int node, int count) {
  const int first = static_cast<int>(outline.entries.size());
  outline.entries.insert(outline.entries.end(), static_cast<std::size_t>(count),
                         {meaning, node, first});
  return first;
}

std::vector<std::uint64_t> origins(const schedule::Stage& stage, std::size_t n_axes) {
  std::vector<std::uint64_t> bits(stage.loops.size());
  for (std::size_t a = 0; a < n_axes; ++a) bits[a] = std::uint64_t{1} << a;
  const auto at = [&](int loop) -> std::uint64_t& { return bits[static_cast<std::size_t>(loop)]; };
  for (const schedule::Relation& r : stage.relations) {
    if (r.kind == schedule::Relation::Kind::Fuse) {
      at(r.whole) = at(r.outer) | at(r.inner);
    } else {
      at(r.outer) = at(r.inner) = at(r.whole);
    }
  }
  return bits;
}

}  // namespace hone::space
