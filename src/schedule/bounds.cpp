// Bound inference: from the outputs back, each stage computes what its readers need of it.
#include "schedule/bounds.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "schedule/access.h"
#include "schedule/apply.h"
#include "schedule/threads.h"

namespace hone::schedule {
namespace {

bool made_by_fusion(const Stage& stage, int loop) {
  const int made_by = stage.loops[static_cast<std::size_t>(loop)];
  return made_by >= 0 &&
         stage.relations[static_cast<std::size_t>(made_by)].kind == Relation::Kind::Fuse;
}

class BoundInference {
 public:
  explicit BoundInference(State& state) : state_(state) {}

  void run() {
    number_variables();
    collect_reads();
    for (int s = n_stages() - 1; s >= 0; --s) {
      if (!is_computed(s)) continue;
      infer_region(s);
      infer_extents(s);
    }
    write_back();
  }

 private:
  int n_stages() const { return static_cast<int>(state_.stages.size()); }
  Stage& stage(int s) { return state_.stages[static_cast<std::size_t>(s)]; }
  const task::Op& op(int s) const { return state_.task->ops[static_cast<std::size_t>(s)]; }
  StageBounds& at(int s) { return bounds_.stages[static_cast<std::size_t>(s)]; }
  bool is_computed(int s) { return !op(s).is_placeholder() && stage(s).location != Location::Inlined; }

  void number_variables() {
    bounds_.stages.resize(state_.stages.size());
    for (int s = 0; s < n_stages(); ++s) {
      at(s).first_var = bounds_.vars.add_loops(static_cast<int>(stage(s).loops.size()));
      const std::size_t n_axes = op(s).axes.size() + op(s).reduce_axes.size();
      at(s).first_axis = bounds_.vars.add_loops(static_cast<int>(n_axes));
      for (const Iterator& iter : stage(s).iters) {
        const bool is_fused =
            made_by_fusion(stage(s), iter.loop) && !ir::is_thread_loop(iter.annotation);
        bounds_.vars.simplify_by_extent(bounds_.var(s, iter.loop), !is_fused);
      }
      Var axis = at(s).first_axis;
      for (const auto* axes : {&op(s).axes, &op(s).reduce_axes}) {
        for (const task::Axis& a : *axes) {
          bounds_.vars.simplify_by_extent(axis, false);
          bounds_.vars.set_extent(axis++, a.extent);
        }
      }
    }
  }

  void collect_reads() {
    readers_.resize(state_.stages.size());
    reads_.resize(state_.stages.size());
    for (int s = 0; s < n_stages(); ++s) {
      if (!is_computed(s)) continue;
      auto& reads = reads_[static_cast<std::size_t>(s)];
      reads = reads_of(state_, s, bounds_);
      for (const Read& read : reads) {
        auto& readers = readers_[static_cast<std::size_t>(read.producer)];
        if (readers.empty() || readers.back() != s) readers.push_back(s);
      }
    }
  }

  void infer_region(int s) {
    const task::Op& tensor = op(s);
    std::vector<Range>& region = at(s).region;
    const std::vector<int>& readers = readers_[static_cast<std::size_t>(s)];
    if (readers.empty()) {
      if (stage(s).location != Location::Root) {
        throw UserError(fmt::format("{} is a result and can only be computed at root", stage(s).name));
      }
      for (const task::Axis& axis : tensor.axes) region.push_back({constant(0), axis.extent});
    } else {
      region.resize(tensor.axes.size());
      bool first = true;
      for (const int reader : readers) {
        const Bindings axes = reader_axes(s, reader);
        for (const Read& read : reads_[static_cast<std::size_t>(reader)]) {
          if (read.producer != s) continue;
          cover(region, read, axes, first);
          first = false;
        }
      }
    }
    for (std::size_t a = 0; a < tensor.axes.size(); ++a) {
      if (!region[a].is_known()) region[a] = {constant(0), tensor.axes[a].extent};
    }
    for (const task::Axis& axis : tensor.reduce_axes) region.push_back({constant(0), axis.extent});
  }

  // Grows the region by what one read touches.
  void cover(std::vector<Range>& region, const Read& read, const Bindings& axes, bool first) {
    const auto& shape = op(read.producer).axes;
    for (std::size_t a = 0; a < region.size(); ++a) {
      Range touched = relax(bounds_.vars, read.index[a], axes);
      // Reads stay inside the tensor, so a range that covers all of it is no larger than that.
      const bool is_all = touched.is_known() && touched.min.is_constant() &&
                          touched.min.constant <= 0 &&
                          touched.min.constant + touched.extent >= shape[a].extent;
      if (is_all || !touched.is_known()) touched = {constant(0), shape[a].extent};
      region[a] = first ? touched : unite(bounds_.vars, region[a], touched);
    }
  }

  // The ranges of the reader's axes while one instance of stage s is alive. Loops at or around the
  // place where s is computed stand still, the others run. For threads it is the memory that decides:
  // a buffer serves all the threads that can see it.
  Bindings reader_axes(int s, int reader) {
    const std::vector<LoopPlace> path = attach_path(state_, s);
    const ir::Scope scope = storage_scope(state_, s, path);
    const Stage& consumer = stage(reader);
    std::vector<Range> ranges(consumer.loops.size());
    bool found = path.empty();
    bool is_inside = false;
    const auto runs = [&](const LoopPlace& place, ir::LoopKind kind) {
      found = found || place == path.front();
      const bool is_around = std::find(path.begin(), path.end(), place) != path.end();
      is_inside = is_inside || is_around;
      if (!ir::is_thread_loop(kind)) return !is_inside;
      if (is_shared_among(scope, kind)) return true;
      if (!is_around) {
        throw UserError(fmt::format("{} lives in {} memory but is computed outside of {}",
                                    stage(s).name, ir::to_string(scope), ir::to_string(kind)));
      }
      return false;
    };
    for (auto iter = consumer.iters.rbegin(); iter != consumer.iters.rend(); ++iter) {
      const bool whole = runs({reader, iter->loop, iter->annotation}, iter->annotation);
      const Var var = bounds_.var(reader, iter->loop);
      Range& range = ranges[static_cast<std::size_t>(iter->loop)];
      range = {base(reader, iter->loop), whole ? bounds_.vars.extent(var) : 1};
      if (!whole) add(bounds_.vars, range.min, variable(bounds_.vars, var));
    }
    Bindings around;
    for (const LoopPlace& place : attach_path(state_, reader)) {
      if (!runs(place, place.kind)) continue;
      const Var var = bounds_.var(place.stage, place.loop);
      around.push_back({var, {constant(0), bounds_.vars.extent(var)}});
    }
    if (!found) {
      throw UserError(fmt::format("{} is computed inside {}, where {} cannot read it", stage(s).name,
                                  stage(stage(s).attach_stage).name, consumer.name));
    }
    pass_up(reader, ranges);
    return bind_axes(reader, ranges, around);
  }

  Sum base(int s, int loop) {
    const auto& region = at(s).region;
    return static_cast<std::size_t>(loop) < region.size() ? region[static_cast<std::size_t>(loop)].min
                                                          : constant(0);
  }

  Bindings bind_axes(int reader, std::vector<Range>& ranges, const Bindings& around) {
    Bindings axes;
    const std::size_t n_axes = at(reader).region.size();
    axes.reserve(n_axes);
    for (std::size_t a = 0; a < n_axes; ++a) {
      Range& range = ranges[a];
      if (!around.empty()) {
        const Range first = relax(bounds_.vars, range.min, around);
        range = {first.min, first.is_known() ? first.extent + range.extent - 1 : 0};
      }
      axes.push_back({at(reader).first_axis + static_cast<Var>(a), std::move(range)});
    }
    return axes;
  }

  // From the leaf loops to the axes.
  void pass_up(int s, std::vector<Range>& ranges) {
    const auto range = [&](int loop) -> Range& { return ranges[static_cast<std::size_t>(loop)]; };
    const auto& relations = stage(s).relations;
    for (auto it = relations.rbegin(); it != relations.rend(); ++it) {
      if (it->kind == Relation::Kind::Split) {
        range(it->whole) = join(s, *it, range(it->outer), range(it->inner));
      } else {
        take_apart(s, *it, range(it->whole), range(it->outer), range(it->inner));
      }
    }
  }

  Range join(int s, const Relation& split, const Range& outer, const Range& inner) {
    const std::int64_t inner_extent = bounds_.extent(s, split.inner);
    Range whole{base(s, split.whole), 1};
    if (outer.is(0, bounds_.extent(s, split.outer)) && inner.is(0, inner_extent)) {
      whole.extent = bounds_.extent(s, split.whole);
      return whole;
    }
    add(bounds_.vars, whole.min, outer.min, inner_extent);
    add(bounds_.vars, whole.min, inner.min);
    whole.extent = checked_product(outer.extent - 1, inner_extent) + inner.extent;
    return whole;
  }

  void take_apart(int s, const Relation& fuse, const Range& whole, Range& outer, Range& inner) {
    Vars& vars = bounds_.vars;
    const std::int64_t inner_extent = bounds_.extent(s, fuse.inner);
    outer = {base(s, fuse.outer), bounds_.extent(s, fuse.outer)};
    inner = {base(s, fuse.inner), inner_extent};
    if (whole.is(0, bounds_.extent(s, fuse.whole))) return;
    const Range rows = divide(vars, whole, inner_extent);
    add(vars, outer.min, rows.min);
    outer.extent = rows.extent;
    if (rows.extent == 1) {
      add(vars, inner.min, floor_mod(vars, whole.min, inner_extent));
      inner.extent = whole.extent;
    }
  }

  // From the axes to the leaf loops.
  void infer_extents(int s) {
    Vars& vars = bounds_.vars;
    const std::vector<bool> threads = thread_made(stage(s));
    for (std::size_t a = 0; a < at(s).region.size(); ++a) {
      vars.set_extent(bounds_.var(s, static_cast<int>(a)), at(s).region[a].extent);
    }
    for (const Relation& relation : stage(s).relations) {
      const Var whole = bounds_.var(s, relation.whole);
      const Var outer = bounds_.var(s, relation.outer);
      const Var inner = bounds_.var(s, relation.inner);
      if (relation.kind == Relation::Kind::Fuse) {
        vars.set_extent(whole, extent_product(vars.extent(outer), vars.extent(inner)));
        continue;
      }
      if (relation.size <= 0) {
        throw UserError(fmt::format("a split length of {} is open", stage(s).name),
                        "bounds exist once every tile size is chosen");
      }
      const std::int64_t extent = vars.extent(whole);
      const Var fixed = relation.by_parts ? outer : inner;
      const Var rest = relation.by_parts ? inner : outer;
      const int fixed_loop = relation.by_parts ? relation.outer : relation.inner;
      // A loop over threads keeps the length it was given: the threads are there anyway.
      const bool keep = threads[static_cast<std::size_t>(fixed_loop)];
      vars.set_extent(fixed, keep ? relation.size : std::min(extent, relation.size));
      vars.set_extent(rest, (extent + relation.size - 1) / relation.size);
    }
  }

  void write_back() {
    for (int s = 0; s < n_stages(); ++s) {
      if (!is_computed(s)) continue;
      for (Iterator& iter : stage(s).iters) iter.extent = bounds_.extent(s, iter.loop);
    }
    state_.bounds = std::move(bounds_);
  }

  State& state_;
  Bounds bounds_;
  std::vector<std::vector<Read>> reads_;   // of each stage
  std::vector<std::vector<int>> readers_;  // stages that read it
};

}  // namespace

void infer_bounds(State& state) { BoundInference(state).run(); }

}  // namespace hone::schedule
