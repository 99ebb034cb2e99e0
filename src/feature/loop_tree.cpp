#include "feature/loop_tree.h"

#include <algorithm>

#include "base/error.h"
#include "feature/value.h"
#include "lower/plan.h"
#include "schedule/threads.h"
#include "schedule/values.h"

namespace hone::feature {
namespace {

using lower::Plan;
using schedule::Iterator;
using schedule::IterKind;
using schedule::Stage;
using schedule::Sum;

class TreeMaker {
 public:
  explicit TreeMaker(const schedule::State& state)
      : state_(state), facts_(tree_.vars), reader_(state, tree_.vars, facts_, first_tensor_) {
    tree_.vars = schedule::exact_vars(state);
    for (int s = 0; s < static_cast<int>(state.stages.size()); ++s) {
      first_tensor_.push_back(static_cast<int>(tree_.tensors.size()));
      for (const ir::Buffer& output : op(s).outputs) add_tensor(s, *output, output->shape);
    }
    for (const int s : state.task->outputs()) {
      for (std::size_t i = 0; i < op(s).outputs.size(); ++i) {
        allocate(tensor(s) + static_cast<int>(i), ir::Scope::Global, op(s).outputs[i]->shape);
      }
      outputs_.push_back(s);
    }
  }

  LoopTree run() {
    produce_all(lower::root_stages(state_));
    return std::move(tree_);
  }

 private:
  const Stage& stage(int s) const { return state_.stages[static_cast<std::size_t>(s)]; }
  const task::Op& op(int s) const { return state_.task->ops[static_cast<std::size_t>(s)]; }
  int tensor(int s) const { return first_tensor_[static_cast<std::size_t>(s)]; }
  bool reduces(int s) const { return op(s).reducer != task::Reducer::None; }
  bool is_output(int s) const {
    return std::find(outputs_.begin(), outputs_.end(), s) != outputs_.end();
  }

  int add_tensor(int s, const ir::BufferNode& buffer, const std::vector<std::int64_t>& shape) {
    tree_.tensors.push_back({&shape, ir::size_bytes(buffer.type.scalar), s});
    return static_cast<int>(tree_.tensors.size()) - 1;
  }

  void allocate(int tensor_id, ir::Scope scope, const std::vector<std::int64_t>& shape) {
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) elements *= extent;
    tree_.allocations.push_back({tensor_id, loop_, elements, scope});
  }

  // What a thread combines by itself, and what all have combined, in a reduction across threads.
  struct Parts {
    int own = -1, all = -1;  // tensors of the first output; those of the others follow
  };
  struct Work {
    int stage;
    Plan plan;
    std::vector<Sum> values;  // of all its loops, axes first
    Parts parts;
  };

  void produce_all(const std::vector<int>& stages) {
    for (const int s : stages) {
      if (!is_output(s)) allocate_region(s);
      Work work{s, lower::plan_of(state_, s), schedule::loop_values(state_, s, tree_.vars), {}};
      produce(work, 0);
    }
  }

  void allocate_region(int s) {
    const auto& region = state_.bounds.stages[static_cast<std::size_t>(s)].region;
    std::vector<std::int64_t> shape;
    for (std::size_t a = 0; a < op(s).axes.size(); ++a) shape.push_back(region[a].extent);
    const ir::Scope scope = schedule::storage_scope(state_, s, schedule::attach_path(state_, s));
    for (std::size_t i = 0; i < op(s).outputs.size(); ++i) {
      allocate(tensor(s) + static_cast<int>(i), scope, shape);
    }
  }

  // The loops of the stage from the k-th on, with what is computed inside them.
  void produce(Work& work, std::size_t k) {
    const int s = work.stage;
    if (reduces(s) && k == work.plan.n_common && work.parts.own < 0) {
      if (work.plan.across_threads) return produce_across_threads(work);
      initialise(work);
    }
    if (k == work.plan.iters.size()) return compute(work);
    const int iter = work.plan.iters[k];
    const int outside = loop_, unroll = unroll_;
    open(s, stage(s).iters[static_cast<std::size_t>(iter)]);
    produce_all(lower::attached_stages(state_, s, iter));
    produce(work, k + 1);
    loop_ = outside;
    unroll_ = unroll;
  }

  void open(int s, const Iterator& iter) {
    const std::int64_t extent = state_.bounds.extent(s, iter.loop);
    const bool is_thread = ir::is_thread_loop(iter.annotation);
    // TVM drops the pragma of a loop that threads run.
    if (stage(s).auto_unroll_loop == iter.loop && !is_thread) unroll_ = stage(s).auto_unroll_max_step;
    if (extent == 1 && !is_thread) return;
    const int depth = loop_ < 0 ? 0 : tree_.loops[static_cast<std::size_t>(loop_)].depth + 1;
    int ahead = -1;
    for (const schedule::Ahead& each : stage(s).ahead) {
      if (each.loop == iter.loop) ahead = tensor(each.operand);
    }
    tree_.loops.push_back(
        {iter.annotation, extent, state_.bounds.var(s, iter.loop), loop_, depth, ahead});
    loop_ = static_cast<int>(tree_.loops.size()) - 1;
  }

  void initialise(const Work& work) {
    const int outside = loop_, unroll = unroll_;
    for (std::size_t k = work.plan.n_common; k < work.plan.iters.size(); ++k) {
      const Iterator& iter = stage(work.stage).iters[static_cast<std::size_t>(work.plan.iters[k])];
      if (iter.kind != IterKind::Reduction) open(work.stage, iter);
    }
    store_all(work.stage, tensor(work.stage), own_index(work));
    loop_ = outside;
    unroll_ = unroll;
  }

  // One evaluation of the op's body, stored or combined with what is there.
  void compute(Work& work) {
    const int s = work.stage;
    assume_guards(s, work.values);
    if (facts_.has_guards()) {
      if (!reduces(s)) clip_loops();
      for (Sum& value : work.values) value = facts_.simplified(value);
    }
    const schedule::AxisValues axes = schedule::axis_values(op(s), work.values);
    const bool is_partial = work.parts.own >= 0;
    const Index index = is_partial ? Index{schedule::constant(0)} : own_index(work);
    const std::vector<ir::Expr> results =
        reduces(s) ? task::combine(op(s).reducer, own_values(s), op(s).body) : op(s).body;
    const int first = is_partial ? work.parts.own : tensor(s);
    reader_.set_partial(is_partial ? s : -1, work.parts.own);
    for (std::size_t i = 0; i < results.size(); ++i) {
      begin_store(first + static_cast<int>(i), index);
      reader_.read(results[i], axes);
    }
    facts_.clear();
  }

  Index own_index(const Work& work) const {
    const auto rank = static_cast<std::ptrdiff_t>(op(work.stage).axes.size());
    return {work.values.begin(), work.values.begin() + rank};
  }

  // The op's own elements at its axes.
  std::vector<ir::Expr> own_values(int s) const {
    std::vector<ir::Expr> index;
    for (const task::Axis& axis : op(s).axes) index.push_back(axis.var);
    std::vector<ir::Expr> values;
    for (const ir::Buffer& output : op(s).outputs) values.push_back(ir::load(output, index));
    return values;
  }

  void assume_guards(int s, const std::vector<Sum>& values) {
    const auto& region = state_.bounds.stages[static_cast<std::size_t>(s)].region;
    for (const schedule::Relation& relation : stage(s).relations) {
      if (!schedule::overshoots(state_.bounds, s, relation)) continue;
      const auto whole = static_cast<std::size_t>(relation.whole);
      Sum value = values[whole];
      if (whole < region.size()) schedule::add(tree_.vars, value, region[whole].min, -1);
      facts_.assume_below(std::move(value), state_.bounds.extent(s, relation.whole));
    }
    for (std::size_t a = 0; a < op(s).axes.size(); ++a) {
      if (region[a].is(0, op(s).axes[a].extent)) continue;
      facts_.assume_not_negative(values[a]);
      facts_.assume_below(values[a], op(s).axes[a].extent);
    }
  }

  // Loops that the guards end: of what is not summed up, the code has no tests inside.
  void clip_loops() {
    for (int l = loop_; l >= 0; l = tree_.loops[static_cast<std::size_t>(l)].parent) {
      Loop& loop = tree_.loops[static_cast<std::size_t>(l)];
      loop.is_clipped |= facts_.guards_mention(loop.var);
    }
  }

  // Whether a vectorised loop around runs past an end.
  bool is_scalar() const {
    for (int l = loop_; l >= 0; l = tree_.loops[static_cast<std::size_t>(l)].parent) {
      const Loop& loop = tree_.loops[static_cast<std::size_t>(l)];
      if (loop.kind == ir::LoopKind::Vectorized && facts_.guards_mention(loop.var)) return true;
    }
    return false;
  }

  void begin_store(int tensor_id, const Index& index) {
    tree_.stores.push_back({tensor_id, loop_, unroll_, is_scalar(), {}, {}});
    reader_.begin(tree_.stores.back());
    reader_.add_access(tensor_id, AccessKind::Write, index);
  }
  void store_all(int s, int first, const Index& index) {
    for (std::size_t i = 0; i < op(s).outputs.size(); ++i)
      begin_store(first + static_cast<int>(i), index);
  }

  // Each thread combines its part; what all have combined is then stored.
  void produce_across_threads(Work& work) {
    static const std::vector<std::int64_t> kOne{1};
    const int s = work.stage;
    for (int* part : {&work.parts.own, &work.parts.all}) {
      *part = static_cast<int>(tree_.tensors.size());
      for (const ir::Buffer& output : op(s).outputs) {
        allocate(add_tensor(s, *output, kOne), ir::Scope::Local, kOne);
      }
    }
    const Index index = own_index(work);
    store_all(s, work.parts.own, {schedule::constant(0)});
    produce(work, work.plan.n_common);
    for (std::size_t i = 0; i < op(s).outputs.size(); ++i) {
      begin_store(tensor(s) + static_cast<int>(i), index);
      reader_.add_access(work.parts.all + static_cast<int>(i), AccessKind::Read,
                         {schedule::constant(0)});
    }
  }

  const schedule::State& state_;
  LoopTree tree_;
  std::vector<int> first_tensor_;  // by stage
  std::vector<int> outputs_;       // stages
  Facts facts_;
  ValueReader reader_;
  int loop_ = -1;   // the innermost that is open
  int unroll_ = 0;  // the pragma that holds
};

}  // namespace

LoopTree loop_tree(const schedule::State& state) { return TreeMaker(state).run(); }

}  // namespace hone::feature
