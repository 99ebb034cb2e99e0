#include "lower/nest.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "lower/nest_loops.h"
#include "lower/plan.h"
#include "schedule/threads.h"

namespace hone::lower {
namespace {

using schedule::Iterator;
using schedule::IterKind;
using schedule::Location;
using schedule::Stage;
using schedule::Sum;

class NestMaker {
 public:
  NestMaker(const schedule::State& state, const NestOptions& options)
      : state_(state),
        vars_(schedule::exact_vars(state)),
        writer_(program_),
        body_(state, vars_),
        loops_(state, body_, writer_) {
    program_.name = state.task->name;
    place_parameters(options);
  }

  ir::Program run() {
    close(produce_all(root_stages(state_)));
    return std::move(program_);
  }

 private:
  int n_stages() const { return static_cast<int>(state_.stages.size()); }
  const Stage& stage(int s) const { return state_.stages[static_cast<std::size_t>(s)]; }
  const task::Op& op(int s) const { return state_.task->ops[static_cast<std::size_t>(s)]; }
  bool reduces(int s) const { return op(s).reducer != task::Reducer::None; }
  Storage& storage(int s) { return body_.storage()[static_cast<std::size_t>(s)]; }
  bool is_output(int s) { return !op(s).is_placeholder() && storage(s).is_parameter; }
  const Iterator& iterator(int s, int iter) const {
    return stage(s).iters[static_cast<std::size_t>(iter)];
  }
  ir::Scope scope(int s) const {
    return schedule::storage_scope(state_, s, schedule::attach_path(state_, s));
  }
  void barrier() { writer_.add(ir::Barrier{ir::Scope::Shared}); }

  void place_parameters(const NestOptions& options) {
    for (const int s : state_.task->placeholders()) {
      const ir::Buffer& original = op(s).output();
      Storage& place = storage(s);
      place.is_parameter = true;
      place.buffers = {original};
      if (options.pack_constants) place.packed = schedule::packed_read(state_, s, vars_);
      if (place.packed) {
        const auto& shape = place.packed->layout.shape;
        place.buffers = {ir::make_buffer(original->name, original->type, shape, original->scope)};
      }
      add_parameter(place.buffers.front(), options);
    }
    for (const int s : state_.task->outputs()) {
      if (stage(s).location != Location::Root) {
        throw UserError(fmt::format("{} is a result and can only be computed at root", stage(s).name));
      }
      storage(s).is_parameter = true;
      storage(s).buffers = op(s).outputs;
      for (ir::Buffer& buffer : storage(s).buffers) add_parameter(buffer, options);
    }
  }

  void add_parameter(ir::Buffer& buffer, const NestOptions& options) {
    const std::size_t number = program_.params.size();
    if (number < options.strides.size() && !options.strides[number].empty()) {
      buffer = ir::make_buffer(buffer->name, buffer->type, buffer->shape, buffer->scope,
                               options.strides[number]);
    }
    program_.params.push_back(buffer);
  }

  // Allocates buffers for the region that the stage computes.
  void allocate(int s, std::vector<std::int32_t>& allocs) {
    if (loops_.inside_threads() && scope(s) == ir::Scope::Global) {
      throw UserError(
          fmt::format("{} is computed by a thread and lives in global memory", stage(s).name));
    }
    Storage& place = storage(s);
    const auto& region = state_.bounds.stages[static_cast<std::size_t>(s)].region;
    std::vector<std::int64_t> shape;
    place.base.assign(op(s).axes.size(), {});
    for (std::size_t a = 0; a < op(s).axes.size(); ++a) {
      shape.push_back(region[a].extent);
      schedule::add(vars_, place.base[a], region[a].min);
    }
    place.buffers.clear();
    for (const ir::Buffer& output : op(s).outputs) {
      place.buffers.push_back(
          ir::make_buffer(output->name, output->type, shape, scope(s), strides(s, shape)));
      allocs.push_back(writer_.open(ir::Alloc{place.buffers.back()}));
    }
  }

  // Dense in the order in which the stage lies in memory, but for the axis that a storage_align step
  // set apart; empty for the usual order.
  std::vector<std::int64_t> strides(int s, const std::vector<std::int64_t>& shape) {
    std::vector<int> order = schedule::panel_order(state_, s, vars_);
    if (order.empty() && stage(s).align_loop < 0) return {};
    if (order.empty()) {
      order.resize(shape.size());
      std::iota(order.begin(), order.end(), 0);
    }
    std::vector<std::int64_t> strides(shape.size());
    std::int64_t stride = 1;
    for (std::size_t i = order.size(); i-- > 0;) {
      const auto d = static_cast<std::size_t>(order[i]);
      const std::int64_t factor = stage(s).align_factor, offset = stage(s).align_offset;
      if (order[i] == stage(s).align_loop) {
        stride += (factor + offset % factor - stride % factor) % factor;
      }
      strides[d] = stride;
      stride *= shape[d];
    }
    return strides;
  }

  void close(const std::vector<std::int32_t>& allocs) {
    for (auto at = allocs.rbegin(); at != allocs.rend(); ++at) writer_.close(*at);
  }

  // Computes stages that stand beside each other; their buffers stay allocated for what follows. What
  // threads write for each other lies between barriers.
  std::vector<std::int32_t> produce_all(const std::vector<int>& stages) {
    std::vector<std::int32_t> allocs;
    bool is_unseen = false;  // threads have written what others have not waited for
    for (const int s : stages) {
      const bool is_shared = loops_.inside_threads() && !is_output(s) && scope(s) == ir::Scope::Shared;
      const bool is_refill = is_shared && !is_unseen && loops_.repeats();
      if (is_refill || (is_unseen && reads_any(s, stages))) {
        barrier();
        is_unseen = false;
      }
      if (!is_output(s)) allocate(s, allocs);
      const Plan plan = plan_of(state_, s);
      produce(s, plan, {}, 0);
      is_unseen = is_unseen || is_shared;
    }
    if (is_unseen) barrier();
    return allocs;
  }

  bool reads_any(int s, const std::vector<int>& producers) const {
    for (const ir::Buffer& buffer : task::reads_of(op(s))) {
      const int producer = state_.task->producer(buffer);
      if (std::find(producers.begin(), producers.end(), producer) != producers.end()) return true;
      if (stage(producer).location == Location::Inlined && reads_any(producer, producers)) return true;
    }
    return false;
  }

  // The loops of the stage from the k-th on, with what is computed inside them. `partial` is what one
  // thread combines in a reduction across threads.
  void produce(int s, const Plan& plan, const std::vector<ir::Buffer>& partial, std::size_t k) {
    if (reduces(s) && k == plan.n_common && partial.empty()) {
      if (plan.across_threads) return produce_across_threads(s, plan);
      initialise(s, plan);
    }
    if (k == plan.iters.size()) return compute(s, partial);
    loops_.open(s, iterator(s, plan.iters[k]));
    const std::vector<std::int32_t> allocs = produce_all(attached_stages(state_, s, plan.iters[k]));
    produce(s, plan, partial, k + 1);
    close(allocs);
    loops_.close();
  }

  // The identity in every element that the loops from here on reduce to.
  void initialise(int s, const Plan& plan) {
    int opened = 0;
    for (std::size_t k = plan.n_common; k < plan.iters.size(); ++k) {
      const Iterator& iter = iterator(s, plan.iters[k]);
      if (iter.kind == IterKind::Reduction) continue;
      loops_.open(s, iter, "_init");
      ++opened;
    }
    const std::vector<Sum> values = schedule::loop_values(state_, s, vars_);
    const auto guard = loops_.open_guard(s, values, {.reduction = false, .domain = is_output(s)});
    store_all(storage(s).buffers, body_.index(s, values), task::identities_of(op(s)));
    loops_.close_guard(guard);
    for (; opened > 0; --opened) loops_.close();
  }

  // One evaluation of the op's body, stored or combined with what is there.
  void compute(int s, const std::vector<ir::Buffer>& partial) {
    const std::vector<Sum> values = schedule::loop_values(state_, s, vars_);
    const schedule::AxisValues axes = schedule::axis_values(op(s), values);
    const auto guard = loops_.open_guard(s, values, {.reduction = true, .domain = true});
    std::vector<ir::Expr> results;
    for (const ir::Expr& body : op(s).body) results.push_back(body_.value(body, axes));
    const bool is_partial = !partial.empty();
    const auto& buffers = is_partial ? partial : storage(s).buffers;
    const auto index = is_partial ? std::vector<ir::Expr>{0} : body_.index(s, values);
    if (reduces(s)) results = task::combine(op(s).reducer, load_all(buffers, index), results);
    store_all(buffers, index, results);
    loops_.close_guard(guard);
  }

  static std::vector<ir::Expr> load_all(const std::vector<ir::Buffer>& buffers,
                                        const std::vector<ir::Expr>& index) {
    std::vector<ir::Expr> values;
    for (const ir::Buffer& buffer : buffers) values.push_back(ir::load(buffer, index));
    return values;
  }
  void store_all(const std::vector<ir::Buffer>& buffers, const std::vector<ir::Expr>& index,
                 const std::vector<ir::Expr>& values) {
    for (std::size_t i = 0; i < buffers.size(); ++i) writer_.store(buffers[i], index, values[i]);
  }
  std::vector<ir::Buffer> allocate_all(int s, std::string_view suffix, ir::Scope scope,
                                       const std::vector<std::int64_t>& shape,
                                       std::vector<std::int32_t>& allocs) {
    std::vector<ir::Buffer> buffers;
    for (const ir::Buffer& output : op(s).outputs) {
      buffers.push_back(
          ir::make_buffer(output->name + std::string(suffix), output->type, shape, scope));
      allocs.push_back(writer_.open(ir::Alloc{buffers.back()}));
    }
    return buffers;
  }

  // Each thread combines its part, then the first one combines the parts of all.
  void produce_across_threads(int s, const Plan& plan) {
    std::vector<std::int32_t> allocs;
    const auto partial = allocate_all(s, ".partial", ir::Scope::Local, {1}, allocs);
    store_all(partial, {0}, task::identities_of(op(s)));
    produce(s, plan, partial, plan.n_common);
    std::vector<NestLoops::Thread> threads = loops_.threads();
    const bool is_alone = std::none_of(threads.begin(), threads.end(), [&](const auto& thread) {
      return runs_reduction(s, thread.kind);
    });
    const ir::Expr is_first = is_alone ? ir::Expr() : combine_parts(s, partial, threads, allocs);
    // Memory of their own is filled by all threads, other memory by one.
    const bool is_private = !is_output(s) && scope(s) == ir::Scope::Local;
    const std::vector<Sum> values = schedule::loop_values(state_, s, vars_);
    const auto guard = loops_.open_guard(s, values, {.reduction = false, .domain = is_output(s)},
                                         is_private ? ir::Expr() : is_first);
    store_all(storage(s).buffers, body_.index(s, values), load_all(partial, {0}));
    loops_.close_guard(guard);
    close(allocs);
  }

  // Leaves the combination of all threads' results in each one's own; returns what holds for one thread
  // among those that reduce.
  ir::Expr combine_parts(int s, const std::vector<ir::Buffer>& partial,
                         const std::vector<NestLoops::Thread>& threads,
                         std::vector<std::int32_t>& allocs) {
    std::vector<std::int64_t> shape;
    std::vector<ir::Expr> own, index;
    for (const NestLoops::Thread& thread : threads) {
      shape.push_back(thread.extent);
      own.push_back(thread.var);
    }
    if (loops_.repeats()) barrier();
    const auto parts = allocate_all(s, ".parts", ir::Scope::Shared, shape, allocs);
    store_all(parts, own, load_all(partial, {0}));
    barrier();
    store_all(partial, {0}, task::identities_of(op(s)));
    ir::Expr is_first;
    std::vector<std::int32_t> loops;
    for (const NestLoops::Thread& thread : threads) {
      index.push_back(thread.var);
      if (!runs_reduction(s, thread.kind)) continue;
      index.back() = ir::variable(std::string(ir::name_of(thread.var)) + "_part");
      loops.push_back(writer_.open(ir::For{index.back(), 0, thread.extent}));
      const ir::Expr here = ir::eq(thread.var, 0);
      is_first = is_first ? ir::logical_and(is_first, here) : here;
    }
    store_all(partial, {0},
              task::combine(op(s).reducer, load_all(partial, {0}), load_all(parts, index)));
    close(loops);
    return is_first;
  }

  bool runs_reduction(int s, ir::LoopKind thread) const {
    return std::any_of(stage(s).iters.begin(), stage(s).iters.end(), [&](const Iterator& iter) {
      return iter.annotation == thread && is_reduction_thread(state_, s, iter);
    });
  }

  const schedule::State& state_;
  schedule::Vars vars_;
  ir::Program program_;
  ir::ProgramWriter writer_;
  NestBody body_;
  NestLoops loops_;
};

}  // namespace

ir::Program nest(const schedule::State& state, const NestOptions& options) {
  return NestMaker(state, options).run();
}

}  // namespace hone::lower
