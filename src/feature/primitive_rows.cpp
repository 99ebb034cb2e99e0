#include "feature/primitive_rows.h"

#include <algorithm>
#include <array>

#include "feature/columns.h"
#include "feature/smallest_task.h"
#include "feature/stage_facts.h"
#include "feature/stride.h"

namespace hone::feature {
namespace {

using schedule::IterKind;

constexpr std::size_t kPieces = 5;     // loops that a step made, or innermost ones of an order
constexpr double kPositionScale = 32;  // steps; programs have 5 to 70
constexpr double kAbsent = -1;         // no amount is less than 0

// The axes of an op that a loop is made of.
struct Axes {
  bool has_spatial = false, has_reduction = false;
  int from_inside = -1;  // of the innermost spatial one, or of the reduction; 0 is the last axis
};

class RowMaker {
 public:
  RowMaker(const NotedState& noted, const LoopTree& tree)
      : noted_(noted), tree_(tree), facts_(stage_facts(noted)) {}

  void write(Columns& to, std::size_t step) const {
    const StepNote& note = noted_.notes[step];
    for (std::size_t kind = 0; kind < kPrimitiveKinds; ++kind)
      to.flag(to_string(static_cast<PrimitiveKind>(kind)), kind == static_cast<std::size_t>(note.kind));
    to.value("position", static_cast<double>(step) / kPositionScale);
    to.value("steps_left", static_cast<double>(noted_.notes.size() - step - 1) / kPositionScale);
    write_stage(to, note);
    write_loop(to, note);
    write_annotation(to, note);
    write_target(to, note);
  }

 private:
  const StageFacts& facts(int stage) const { return facts_[static_cast<std::size_t>(stage)]; }
  const schedule::Stage& stage(int s) const { return noted_.state.stages[static_cast<std::size_t>(s)]; }

  void write_stage(Columns& to, const StepNote& note) const {
    const StageFacts& stage = facts(note.stage);
    to.flag("stage_is_output", stage.is_output);
    to.flag("stage_is_read_copy", stage.is_read_copy);
    to.flag("stage_is_write_copy", stage.is_write_copy);
    to.flag("stage_is_partial", stage.is_partial);
    to.flag("stage_reduces", stage.reduces);
    to.flag("stage_is_main", stage.is_main);
    to.flag("stage_is_behind_main", stage.is_behind);
    to.flag("stage_is_inlined", stage.is_inlined);
    to.amount("stage_elements", stage.elements);
    to.amount("stage_times", stage.times);
  }

  // The loop that the step is about: one it acted on, or the one it made of several.
  int loop_of(const StepNote& note) const {
    if (note.is_replaced || facts(note.stage).is_inlined) return -1;
    if (note.kind == PrimitiveKind::Fuse) return note.made.empty() ? -1 : note.made.front();
    return note.loops.size() == 1 ? note.loops.front() : -1;
  }

  void write_loop(Columns& to, const StepNote& note) const {
    const int loop = loop_of(note);
    const Axes axes = loop < 0 ? Axes{} : axes_of(note.stage, loop);
    to.flag("loop_is_spatial", axes.has_spatial);
    to.flag("loop_is_reduction", axes.has_reduction);
    to.value("axis_from_inside", axes.from_inside);
    const double extent =
        loop < 0 ? 0 : static_cast<double>(noted_.state.bounds.extent(note.stage, loop));
    to.amount("loop_extent", extent);
    const std::vector<std::int64_t> pieces = pieces_of(note);
    to.amounts("piece", pieces, kPieces, kAbsent);
    double product = 1;
    for (const std::int64_t piece : pieces) product *= static_cast<double>(piece);
    const bool is_split = note.kind == PrimitiveKind::Split ||
                          note.kind == PrimitiveKind::FollowSplit ||
                          note.kind == PrimitiveKind::FollowFusedSplit;
    to.value("overshoot", is_split && extent > 0 ? std::log2(std::max(1.0, product / extent)) : 0);
    to.amount("loop_outside", loop < 0 ? 0 : facts(note.stage).outside[static_cast<std::size_t>(loop)]);
    to.amount("loop_inside", loop < 0 ? 0 : facts(note.stage).inside[static_cast<std::size_t>(loop)]);
  }

  // Outermost first; of an order the innermost loops, from the inside.
  std::vector<std::int64_t> pieces_of(const StepNote& note) const {
    std::vector<std::int64_t> extents;
    if (facts(note.stage).is_inlined && !note.is_replaced) return extents;
    const bool is_order = note.kind == PrimitiveKind::Reorder;
    for (std::size_t i = 0; i < std::min(note.made.size(), kPieces); ++i)
      extents.push_back(noted_.made_extent(note, is_order ? note.made.size() - 1 - i : i));
    if (note.kind == PrimitiveKind::Fuse) {
      extents.clear();
      for (std::size_t i = 0; i < std::min(note.loops.size(), kPieces) && !note.is_replaced; ++i)
        extents.push_back(noted_.state.bounds.extent(note.stage, note.loops[i]));
    }
    return extents;
  }

  Axes axes_of(int s, int loop) const {
    const task::Op& op = noted_.state.task->ops[static_cast<std::size_t>(s)];
    Axes axes;
    add_axes(stage(s), op, loop, axes);
    return axes;
  }

  void add_axes(const schedule::Stage& stage, const task::Op& op, int loop, Axes& axes) const {
    const int made_by = stage.loops[static_cast<std::size_t>(loop)];
    if (made_by >= 0) {
      const schedule::Relation& relation = stage.relations[static_cast<std::size_t>(made_by)];
      if (relation.kind == schedule::Relation::Kind::Split)
        return add_axes(stage, op, relation.whole, axes);
      add_axes(stage, op, relation.outer, axes);
      return add_axes(stage, op, relation.inner, axes);
    }
    const auto spatial = static_cast<int>(op.axes.size());
    const auto all = spatial + static_cast<int>(op.reduce_axes.size());
    if (loop >= all) return;  // a unit loop that fusing nothing made
    const bool is_spatial = loop < spatial;
    (is_spatial ? axes.has_spatial : axes.has_reduction) = true;
    axes.from_inside = (is_spatial ? spatial : all) - 1 - loop;
  }

  void write_annotation(Columns& to, const StepNote& note) const {
    const int loop = note.kind == PrimitiveKind::Annotate ? loop_of(note) : -1;
    ir::LoopKind kind = ir::LoopKind::Serial;
    for (const schedule::Iterator& iter : stage(note.stage).iters) {
      if (loop >= 0 && iter.loop == loop) kind = iter.annotation;
    }
    to.flag("unrolled", kind == ir::LoopKind::Unrolled);
    to.flag("vectorised", kind == ir::LoopKind::Vectorized);
    to.flag("parallel", kind == ir::LoopKind::Parallel);
    to.flag("virtual_threads", kind == ir::LoopKind::Vthread);
    to.flag("blocks", ir::is_block_loop(kind));
    to.flag("threads",
            ir::is_thread_loop(kind) && !ir::is_block_loop(kind) && kind != ir::LoopKind::Vthread);
    const bool is_pragma = note.kind == PrimitiveKind::Pragma;
    to.amount("unroll_steps", is_pragma ? stage(note.stage).auto_unroll_max_step : 0);
    write_strides(to, note.stage, loop);
  }

  // How many of the statement's operands stay, go on by one element, or jump when the loop turns.
  void write_strides(Columns& to, int s, int loop) const {
    std::array<int, 3> counts{};
    const Store* last = nullptr;
    for (const Store& store : tree_.stores) {
      if (tree_.tensors[static_cast<std::size_t>(store.tensor)].stage == s) last = &store;
    }
    if (loop >= 0 && last != nullptr) {
      for (const Access& access : last->accesses) {
        const auto& shape = *tree_.tensors[static_cast<std::size_t>(access.tensor)].shape;
        const auto step = stride(tree_.vars, access, shape, noted_.state.bounds.var(s, loop));
        ++counts[step == 0 ? 0 : step == 1 ? 1 : 2];
      }
    }
    to.value("operands_that_stay", counts[0]);
    to.value("operands_in_a_row", counts[1]);
    to.value("operands_that_jump", counts[2]);
  }

  void write_target(Columns& to, const StepNote& note) const {
    const bool is_there = note.target_stage >= 0 && note.target_loop >= 0;
    const StageFacts none;
    const StageFacts& target = is_there ? facts(note.target_stage) : none;
    const auto loop = static_cast<std::size_t>(note.target_loop);
    const bool is_known = is_there && loop < target.inside.size();
    to.flag("target_is_main", target.is_main);
    to.flag("target_reduces", target.reduces);
    to.flag("target_loop_is_reduction",
            is_known && axes_of(note.target_stage, note.target_loop).has_reduction);
    to.amount("target_inside", is_known ? target.inside[loop] : 0);
    to.amount("bytes_at_target", is_there ? facts(note.stage).bytes : 0);
  }

  const NotedState& noted_;
  const LoopTree& tree_;
  std::vector<StageFacts> facts_;
};

}  // namespace

const std::vector<std::string>& primitive_row_names() {
  static const std::vector<std::string> names = [] {
    const auto one = std::make_shared<const task::Task>(smallest_task());
    const NotedState noted = replay_noted(one, {schedule::ComputeRoot{0}});
    return column_names([&](Columns& to) { RowMaker(noted, loop_tree(noted.state)).write(to, 0); });
  }();
  return names;
}

std::vector<float> primitive_rows(const NotedState& noted, const LoopTree& tree) {
  std::vector<float> values;
  Columns columns(values);
  const RowMaker maker(noted, tree);
  for (std::size_t i = 0; i < noted.notes.size(); ++i) maker.write(columns, i);
  return values;
}

}  // namespace hone::feature
