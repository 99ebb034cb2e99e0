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
      is_output_.push_back(s);
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
    return std::find(is_output_.begin(), is_output_.end(), s) != is_output_.end();
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

  void produce_all(const std::vector<int>& stages) {
    for (const int s : stages) {
      if (!is_output(s)) allocate_region(s);
      produce(s, lower::plan_of(state_, s), {}, 0);
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

  // What a thread combines by itself, and what all have combined, in a reduction across threads.
  struct Parts {
    int own = -1, all = -1;  // of the first output; the others follow
  };

  void produce(int s, const Plan& plan, const Parts& parts, std::size_t k) {
    if (reduces(s) && k == plan.n_common && parts.own < 0) {
      if (plan.across_threads) return produce_across_threads(s, plan);
      initialise(s, plan);
    }
    if (k == plan.iters.size()) return compute(s, parts);
    const Iterator& iter = stage(s).iters[static_cast<std::size_t>(plan.iters[k])];
    const int outside = loop_, unroll = unroll_;
    open(s, iter);
    produce_all(lower::attached_stages(state_, s, plan.iters[k]));
    produce(s, plan, parts, k + 1);
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
    tree_.loops.push_back({iter.annotation, extent, state_.bounds.var(s, iter.loop), loop_, depth});
    loop_ = static_cast<int>(tree_.loops.size()) - 1;
  }

  void initialise(int s, const Plan& plan) {
    const int outside = loop_;
    for (std::size_t k = plan.n_common; k < plan.iters.size(); ++k) {
      const Iterator& iter = stage(s).iters[static_cast<std::size_t>(plan.iters[k])];
      if (iter.kind != IterKind::Reduction) open(s, iter);
    }
    facts_.clear();
    const std::vector<Sum> values = schedule::loop_values(state_, s, tree_.vars);
    store_all(s, tensor(s), {values.begin(), values.begin() + rank(s)});
    loop_ = outside;
  }

  // One evaluation of the op's body, stored or combined with what is there.
  void compute(int s, const Parts& parts) {
    std::vector<Sum> values = schedule::loop_values(state_, s, tree_.vars);
    assume_guards(s, values);
    if (facts_.has_guards()) {
      for (Sum& value : values) value = facts_.simplified(value);
    }
    const schedule::AxisValues axes = schedule::axis_values(op(s), values);
    const bool is_partial = parts.own >= 0;
    const Index index =
        is_partial ? Index{schedule::constant(0)} : Index{values.begin(), values.begin() + rank(s)};
    const std::vector<ir::Expr> results =
        reduces(s) ? task::combine(op(s).reducer, own_values(s), op(s).body) : op(s).body;
    const int first = is_partial ? parts.own : tensor(s);
    reader_.set_partial(is_partial ? s : -1, parts.own);
    for (std::size_t i = 0; i < results.size(); ++i) {
      begin_store(first + static_cast<int>(i), index);
      reader_.read(results[i], axes);
    }
    facts_.clear();
  }

  std::ptrdiff_t rank(int s) const { return static_cast<std::ptrdiff_t>(op(s).axes.size()); }

  // The op's own elements at its axes.
  std::vector<ir::Expr> own_values(int s) const {
    std::vector<ir::Expr> index;
    for (const task::Axis& axis : op(s).axes) index.push_back(axis.var);
    std::vector<ir::Expr> values;
    for (const ir::Buffer& output : op(s).outputs) values.push_back(ir::load(output, index));
    return values;
  }

  void assume_guards(int s, const std::vector<Sum>& values) {
    facts_.clear();
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

  // Whether a vectorised loop around runs past an end.
  bool is_scalar() const {
    for (int l = loop_; l >= 0; l = tree_.loops[static_cast<std::size_t>(l)].parent) {
      const Loop& loop = tree_.loops[static_cast<std::size_t>(l)];
      if (loop.kind == ir::LoopKind::Vectorized && facts_.guards_mention(loop.var)) return true;
    }
    return false;
  }

  void begin_store(int tensor_id, const Index& index) {
    tree_.stores.push_back({tensor_id, loop_, std::max(unroll_, 0), is_scalar(), {}, {}});
    reader_.begin(tree_.stores.back());
    reader_.add_access(tensor_id, AccessKind::Write, index);
  }
  void store_all(int s, int first, const Index& index) {
    for (std::size_t i = 0; i < op(s).outputs.size(); ++i)
      begin_store(first + static_cast<int>(i), index);
  }

  // Each thread combines its part; what all have combined is then stored.
  void produce_across_threads(int s, const Plan& plan) {
    static const std::vector<std::int64_t> kOne{1};
    Parts parts;
    for (int* part : {&parts.own, &parts.all}) {
      for (const ir::Buffer& output : op(s).outputs) {
        const int id = add_tensor(s, *output, kOne);
        if (*part < 0) *part = id;
        allocate(id, ir::Scope::Local, kOne);
      }
    }
    facts_.clear();
    store_all(s, parts.own, {schedule::constant(0)});
    produce(s, plan, parts, plan.n_common);
    const std::vector<Sum> values = schedule::loop_values(state_, s, tree_.vars);
    const Index index{values.begin(), values.begin() + rank(s)};
    for (std::size_t i = 0; i < op(s).outputs.size(); ++i) {
      begin_store(tensor(s) + static_cast<int>(i), index);
      reader_.add_access(parts.all + static_cast<int>(i), AccessKind::Read, {schedule::constant(0)});
    }
  }

  const schedule::State& state_;
  LoopTree tree_;
  std::vector<int> first_tensor_, is_output_;
  Facts facts_;
  ValueReader reader_;
  int loop_ = -1;  // the innermost that is open
  int unroll_ = -1;
};

}  // namespace

LoopTree loop_tree(const schedule::State& state) { return TreeMaker(state).run(); }

}  // namespace hone::feature
