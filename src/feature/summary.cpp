#include "feature/summary.h"

#include <algorithm>
#include <numeric>

#include "feature/code.h"
#include "feature/columns.h"
#include "feature/smallest_task.h"
#include "feature/store_columns.h"
#include "feature/usual_machine.h"

namespace hone::feature {
namespace {

using space::Hardware;

class SummaryMaker {
 public:
  SummaryMaker(const schedule::State& state, const LoopTree& tree, const Hardware& hardware)
      : state_(state), tree_(tree), hardware_(hardware) {
    for (const Store& store : tree.stores) stores_.push_back(store_facts(tree, store));
  }

  void write(Columns& to) const {
    const StoreFacts* const main = main_store();
    const StoreFacts* const next = next_store();
    write_totals(to, main);
    write_loops(to);
    write_memory(to);
    const Store nothing{0, -1, 0, false, {}, {}};
    StoreFacts none;
    none.store = &nothing;
    {
      const auto group = to.group("main");
      write_store(to, tree_, main == nullptr ? none : *main, hardware_);
    }
    {
      const auto group = to.group("next");
      write_store(to, tree_, next == nullptr ? none : *next, hardware_);
    }
    const auto group = to.group("code");
    write_code(to);
  }

  SummaryStages stages() const {
    const auto stage = [this](const StoreFacts* facts) {
      return facts == nullptr ? -1 : static_cast<int>(stage_of(*facts));
    };
    return {stage(main_store()), stage(next_store())};
  }

 private:
  const StoreFacts* main_store() const {
    return heaviest(nullptr, [](const StoreFacts& f) { return f.work; });
  }
  const StoreFacts* next_store() const {
    return heaviest(main_store(), [&](const StoreFacts& f) { return critical(f, hardware_); });
  }

  const Loop& loop(int l) const { return tree_.loops[static_cast<std::size_t>(l)]; }

  template <class Weight>
  const StoreFacts* heaviest(const StoreFacts* but, const Weight& weight) const {
    const StoreFacts* found = nullptr;
    for (const StoreFacts& each : stores_) {
      if (&each != but && (found == nullptr || weight(each) > weight(*found))) found = &each;
    }
    return found;
  }

  void write_totals(Columns& to, const StoreFacts* main) const {
    double work = 0, serial = 0, scalar = 0, guarded = 0, in_order = 0;
    for (const StoreFacts& each : stores_) {
      work += each.work;
      if (each.parallel * each.threads == 1) serial += each.work;
      if (each.vector == 1) scalar += each.work;
      if (each.store->is_scalar) guarded += each.work;
      in_order += critical(each, hardware_);
    }
    to.amount("work", work);
    to.value("main_share", main == nullptr ? 0 : log_ratio(main->work, work));
    to.value("repeated", log_ratio(executions(), needed()));
    to.amount("serial_work", serial);
    to.amount("scalar_work", scalar);
    to.amount("guarded_work", guarded);
    to.amount("critical_work", in_order);
    to.value("main_critical_share",
             main == nullptr ? 0 : log_ratio(critical(*main, hardware_), in_order));
    to.amount("statements", static_cast<double>(stores_.size()));
  }

  // Of the statements that finish a stage's elements; stages that are computed at an iterator may do so
  // more than once.
  double executions() const {
    std::vector<double> last(state_.stages.size(), 0);
    for (const StoreFacts& each : stores_) last[stage_of(each)] = each.executions;
    return std::accumulate(last.begin(), last.end(), 0.0);
  }
  double needed() const {
    std::vector<double> needed(state_.stages.size(), 0);
    for (const StoreFacts& each : stores_) {
      const task::Op& op = state_.task->ops[stage_of(each)];
      double product = 1;
      for (const task::Axis& axis : op.axes) product *= static_cast<double>(axis.extent);
      for (const task::Axis& axis : op.reduce_axes) product *= static_cast<double>(axis.extent);
      needed[stage_of(each)] = product;
    }
    return std::accumulate(needed.begin(), needed.end(), 0.0);
  }
  std::size_t stage_of(const StoreFacts& facts) const {
    return static_cast<std::size_t>(tree_.tensors[static_cast<std::size_t>(facts.store->tensor)].stage);
  }

  // Parallel regions are begun as often as the loops around them turn.
  void write_loops(Columns& to) const {
    double begun = 0, turns = 0, most_parallel = 0;
    int parallel = 0, nested = 0, deepest = 0;
    for (const Loop& each : tree_.loops) {
      double around = 1;
      bool is_nested = false;
      for (int l = each.parent; l >= 0; l = loop(l).parent) {
        around *= static_cast<double>(loop(l).extent);
        is_nested |= loop(l).kind == ir::LoopKind::Parallel;
      }
      const auto extent = static_cast<double>(each.extent);
      const bool is_parallel = each.kind == ir::LoopKind::Parallel;
      if (is_parallel) {
        begun += around;
        ++parallel;
        nested += is_nested;
        most_parallel = std::max(most_parallel, extent);
      }
      if (each.kind != ir::LoopKind::Vectorized && each.kind != ir::LoopKind::Unrolled)
        turns += around * extent;
      deepest = std::max(deepest, each.depth + 1);
    }
    to.amount("parallel_loops", parallel);
    to.amount("nested_parallel_loops", nested);
    to.amount("regions_begun", begun);
    to.amount("longest_parallel_loop", most_parallel);
    to.amount("loop_turns", turns);
    to.value("deepest", deepest);
  }

  void write_memory(Columns& to) const {
    double root = 0, inside = 0, shared = 0, local = 0, times = 0;
    for (const Allocation& each : tree_.allocations) {
      const double bytes = static_cast<double>(each.elements) *
                           tree_.tensors[static_cast<std::size_t>(each.tensor)].element_bytes;
      double around = 1;
      for (int l = each.loop; l >= 0; l = loop(l).parent) around *= static_cast<double>(loop(l).extent);
      (each.loop < 0 ? root : inside) += bytes;
      if (each.scope == ir::Scope::Shared) shared += bytes;
      if (each.scope == ir::Scope::Local) local += bytes;
      if (each.loop >= 0) times += around;
    }
    int inlined = 0;
    for (const schedule::Stage& stage : state_.stages)
      inlined += stage.location == schedule::Location::Inlined;
    to.amount("bytes_at_root", root);
    to.amount("bytes_inside", inside);
    to.amount("bytes_shared", shared);
    to.amount("bytes_local", local);
    to.amount("times_allocated", times);
    to.amount("inlined_stages", inlined);
  }

  // What hone's own code generator would make of it on a core of that width: the heaviest statement,
  // and the cycles of all together. Nothing on a GPU.
  void write_code(Columns& to) const {
    std::array<double, kCodeColumns> total{}, most{};
    if (hardware_.kind == Hardware::Kind::Cpu) {
      const std::vector<StageLayout> layouts(state_.stages.size());
      const std::vector<float> rows = code_rows(tree_, layouts, usual_machine(hardware_));
      const auto cycles = static_cast<std::size_t>(CodeColumn::Cycles);
      for (std::size_t row = 0; row < rows.size(); row += kCodeColumns) {
        const bool is_most = rows[row + cycles] > most[cycles];
        for (std::size_t c = 0; c < kCodeColumns; ++c) {
          total[c] += std::exp2(rows[row + c]) - 1;
          if (is_most) most[c] = rows[row + c];
        }
      }
    }
    for (std::size_t c = 0; c < kCodeColumns; ++c) {
      to.value(code_names()[c], most[c]);
      const auto all = to.group("all");
      to.amount(code_names()[c], total[c]);
    }
  }

  const schedule::State& state_;
  const LoopTree& tree_;
  const Hardware& hardware_;
  std::vector<StoreFacts> stores_;
};

}  // namespace

const std::vector<std::string>& summary_names() {
  static const std::vector<std::string> names = [] {
    schedule::State state =
        schedule::initial_state(std::make_shared<const task::Task>(smallest_task()));
    schedule::infer_bounds(state);
    const LoopTree tree = loop_tree(state);
    return column_names([&](Columns& to) { SummaryMaker(state, tree, {}).write(to); });
  }();
  return names;
}

std::vector<float> summary(const schedule::State& state, const LoopTree& tree,
                           const Hardware& hardware) {
  std::vector<float> values;
  Columns columns(values);
  SummaryMaker(state, tree, hardware).write(columns);
  return values;
}

SummaryStages summary_stages(const schedule::State& state, const LoopTree& tree,
                             const Hardware& hardware) {
  return SummaryMaker(state, tree, hardware).stages();
}

}  // namespace hone::feature
