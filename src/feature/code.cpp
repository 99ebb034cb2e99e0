#include "feature/code.h"

#include <algorithm>
#include <cmath>

#include "feature/index.h"
#include "feature/lane_step.h"
#include "feature/store_view.h"
#include "feature/straight_line.h"
#include "feature/taps.h"
#include "lower/passes.h"

namespace hone::feature {
namespace {

constexpr double kFunctionCost = 20;  // instructions of exp, tanh, ...
constexpr double kDivisionCost = 8;
constexpr double kChoiceCost = 4;  // of one that every element makes for itself

double log_of(double value) { return std::log2(1 + std::max(0.0, value)); }

struct CodeRow {
  std::array<double, kCodeColumns> values{};
  double& operator[](CodeColumn column) { return values[static_cast<std::size_t>(column)]; }
};

class Estimator {
 public:
  Estimator(const LoopTree& tree, const std::vector<StageLayout>& layouts, const target::Target& target,
            const CoreCosts& costs)
      : tree_(tree),
        view_(tree, layouts),
        target_(target),
        costs_(costs),
        lines_(straight_lines(tree, target)),
        is_updated_(tree.tensors.size()),
        starts_in_registers_(starts_in_registers(tree, lines_, target)),
        row_of_(tree.tensors.size(), -1) {
    for (const Store& each : tree.stores) {
      if (each.accesses.front().kind == AccessKind::ReadWrite)
        is_updated_[static_cast<std::size_t>(each.tensor)] = true;
    }
  }

  std::vector<float> run() {
    for (const Store& store : tree_.stores) add(store);
    for (const Allocation& allocation : tree_.allocations) row(allocation.tensor);
    std::vector<float> out;
    for (const CodeRow& each : rows_) {
      for (const double value : each.values) out.push_back(static_cast<float>(log_of(value)));
    }
    return out;
  }

 private:
  // The loops around a store that become straight-line code, and what that code does.
  struct Tile {
    std::size_t depth = 0;  // loops of view_ that belong to it
    double iterations = 1;  // executions of the statement in one pass
    double rows = 1;        // elements, or vectors of one dimension, that are stored
    double terms = 1;       // of each that are added in one pass: loops of the sum that are written out
    double held = 1;        // rows whose sums are open at the same time: those inside of such loops
    double lanes = 1, vectors = 1;
    bool takes_turns = false;  // element by element, though it is called a vector
    schedule::Var vector_var = -1;
  };

  const Tensor& tensor(int t) const { return tree_.tensors[static_cast<std::size_t>(t)]; }
  bool is_written_out(std::size_t i) const {
    return lines_.is_written_out[static_cast<std::size_t>(view_.loops()[i])];
  }

  CodeRow& row(int t) {
    int& number = row_of_[static_cast<std::size_t>(t)];
    if (number < 0) {
      number = static_cast<int>(rows_.size());
      rows_.emplace_back();
    }
    return rows_[static_cast<std::size_t>(number)];
  }

  void add(const Store& store) {
    CodeRow& to = row(store.tensor);  // rows are in the order of first stores
    const bool is_update = store.accesses.front().kind == AccessKind::ReadWrite;
    if (!is_update && starts_in_registers_[static_cast<std::size_t>(store.tensor)]) return;
    view_.look_at(store);
    double parallel = 1;
    for (std::size_t i = 0; i < view_.loops().size(); ++i) {
      const Loop& loop = view_.loop(i);
      if (loop.kind == ir::LoopKind::Parallel) parallel *= static_cast<double>(loop.extent);
    }
    const double cores = target_.cores;
    const double busy = parallel / std::ceil(parallel / cores);
    describe(store, busy, to);
  }

  void describe(const Store& store, double busy, CodeRow& to) {
    const Access& written = store.accesses.front();
    const bool is_update = written.kind == AccessKind::ReadWrite;
    const Tile tile = tile_of(store, written, is_update);
    const double element = tensor(store.tensor).element_bytes;
    const double cycles_an_op = std::max(costs_.least, tile.lanes * element / costs_.vector_bytes);
    const double accumulators = tile.held * tile.vectors;
    const double updates = tile.rows * tile.terms * tile.vectors;
    const double choices = tile.takes_turns ? kChoiceCost * store.operations.choices : 0;
    const double arithmetic = (instructions(store, is_update) + choices) * updates;
    const Moves moves = moves_of(store, tile, is_update);
    const double executions = view_.executions();
    const double steps = executions / tile.iterations;
    const Sum sum = is_update ? sum_of(store, tile.depth) : Sum{};
    const double reduced = sum.length;
    const double entries = steps / reduced;
    // Counting and jumping cost nothing beside a body that keeps the vector units busy.
    const double unrolled = std::max(1.0, store.auto_unroll_max_step / updates);
    const double instructions_a_step = arithmetic + moves.loads + costs_.turn / unrolled;
    // Of a transposed convolution a tap meets some of the tile's rows; where the taps are outer loops,
    // the others are not in registers either.
    const double at_once = is_update && taps_are_outside(store, tile.depth) ? rows_met(store, tile) : 1;
    const double registers = target_.vector_registers - lower::kOperandRegisters;
    const double overflow = is_update ? std::max(0.0, accumulators * at_once - registers) : 0;
    double issue = std::max({arithmetic * cycles_an_op, moves.load_cycles, moves.store_cycles,
                             instructions_a_step / costs_.issue_width}) *
                   at_once;
    if (is_update) {
      // Short reductions overlap with the next tile's: there the latency is not waited for.
      const double in_flight = std::max(1.0, costs_.window / (reduced * instructions_a_step));
      issue = std::max(issue, costs_.latency * tile.terms / in_flight);
      if (overflow > 0) issue += costs_.spill * accumulators;
      issue *= share_of_taps(tree_.vars, store) / at_once;
    }
    issue += moves.requests * costs_.request;
    const double entry =
        is_update
            ? entry_cycles(store, sum, tile.rows * tile.vectors, tile.lanes * element, reduced * issue,
                           reduced * moves.load_cycles, reduced * instructions_a_step)
            : 0;

    // The last store to a tensor is the one that counts: the update of a reduction.
    to[CodeColumn::Accumulators] = accumulators;
    to[CodeColumn::Overflow] = overflow;
    to[CodeColumn::Lanes] = tile.lanes;
    to[CodeColumn::Loads] = moves.loads / std::max(1.0, arithmetic);
    to[CodeColumn::Steps] += steps;
    to[CodeColumn::Entries] += entries;
    to[CodeColumn::Arithmetic] += steps * arithmetic * cycles_an_op / busy;
    const double issued = (steps * issue + entries * entry) / busy;
    to[CodeColumn::Issue] += issued;
    // What stays in registers is made in the shadow of whoever sums it up, unless it is put together of
    // single elements or asks about each vector.
    const auto id = static_cast<std::size_t>(store.tensor);
    const bool is_shadowed = lines_.in_registers[id] && !is_updated_[id] && !moves.is_gathered &&
                             store.operations.choices == 0;
    add_cycles(store, issued, busy, is_shadowed, to);
    const double lanes = target_.lanes(static_cast<int>(8 * element));
    to[CodeColumn::Ideal] += executions * instructions(store, is_update) / lanes / target_.cores;
  }

  // The share of the tile's rows that one tap meets, where they read at uneven distances and a choice
  // decides what is read.
  double rows_met(const Store& store, const Tile& tile) const {
    if (store.operations.choices == 0) return 1;
    std::vector<schedule::Var> rows;
    for (std::size_t i = 0; i < tile.depth; ++i) {
      const Loop& row = view_.loop(i);
      if (row.var == tile.vector_var || row.extent == 1) continue;
      const bool is_uneven = std::ranges::any_of(store.accesses, [&](const Access& access) {
        return !is_line(tree_.vars, access, row.var, row.extent);
      });
      if (is_uneven) rows.push_back(row.var);
    }
    return share_met_by(tree_.vars, store, rows);
  }

  // Whether the sum right around the tile goes on with one tap before it turns to the next.
  bool taps_are_outside(const Store& store, std::size_t depth) const {
    for (; depth < view_.loops().size(); ++depth) {
      if (view_.loop(depth).extent == 1) continue;
      if (mentions(tree_.vars, store.accesses.front(), view_.loop(depth).var)) return false;
      const schedule::Var loop = view_.loop(depth).var;
      return share_met_by(tree_.vars, store, std::span(&loop, 1)) == 1;
    }
    return false;
  }

  // What one pass through the register tile brings from the first cache and takes there.
  struct Moves {
    double loads = 0;  // instructions, stores among them
    double load_cycles = 0, store_cycles = 0;
    double requests = 0;       // prefetches
    bool is_gathered = false;  // some vector is put together of single elements
  };
  Moves moves_of(const Store& store, const Tile& tile, bool is_update) {
    Moves moves;
    const double vector_bytes = tile.lanes * tensor(store.tensor).element_bytes;
    const double least_store = leaves_registers(store)         ? costs_.least
                               : store.operations.choices == 0 ? costs_.least_store
                                                               : costs_.least_padding;
    for (const Access& access : store.accesses) {
      const bool is_written = &access == &store.accesses.front();
      if (is_written && is_update) continue;
      if (lines_.in_registers[static_cast<std::size_t>(access.tensor)]) continue;
      const double count = count_of(store, access, tile);
      const std::int64_t step = step_of(access, tile);
      double cycles = is_written ? least_store : costs_.least;
      if (step == 1)
        cycles = std::max(cycles, vector_bytes / (is_written ? costs_.store_bytes : costs_.load_bytes));
      if (is_apart(step)) cycles = costs_.lane;
      moves.loads += count;
      (is_written ? moves.store_cycles : moves.load_cycles) += count * cycles;
      moves.is_gathered |= is_apart(step);
      if (is_prefetched(access)) moves.requests += count;
    }
    return moves;
  }

  // Whether a register tile is stored here, which is no copy: a sum may end just so.
  bool leaves_registers(const Store& store) const {
    return std::ranges::any_of(store.accesses, [&](const Access& access) {
      return access.kind == AccessKind::Read &&
             lines_.in_registers[static_cast<std::size_t>(access.tensor)];
    });
  }

  // Instructions and what they wait for from further away, most of it at the same time.
  void add_cycles(const Store& store, double issued, double busy, bool is_shadowed, CodeRow& to) {
    double slowest = issued, total = issued;
    const auto add = [&](double cycles) {
      slowest = std::max(slowest, cycles);
      total += cycles;
    };
    // The values that an update begins with move together with the update.
    const bool is_update = store.accesses.front().kind == AccessKind::ReadWrite;
    if (is_update || !is_updated_[static_cast<std::size_t>(store.tensor)]) {
      const Footprints& touched = view_.footprints();
      for (std::size_t level = 0; level < costs_.traffic_bytes.size(); ++level) {
        const double bytes = traffic(touched, cache(level), costs_.restarts[level]);
        const double cycles = bytes / costs_.traffic_bytes[level] / busy;
        to.values[static_cast<std::size_t>(CodeColumn::NearTraffic) + level] += cycles;
        add(cycles);
      }
      add(page_visits(touched, costs_.pages) * costs_.page_visit / busy);
    }
    to[CodeColumn::Cycles] +=
        is_shadowed ? (1 - costs_.hidden) * total : slowest + (1 - costs_.hidden) * (total - slowest);
  }

  // Vector loops, unrolled ones, and for an update the loops inside of its innermost reduction. Sums
  // that are written out one after the other need no register each.
  Tile tile_of(const Store& store, const Access& written, bool is_update) const {
    Tile tile;
    for (; tile.depth < view_.loops().size(); ++tile.depth) {
      const Loop& here = view_.loop(tile.depth);
      const bool is_marked =
          here.kind == ir::LoopKind::Vectorized || here.kind == ir::LoopKind::Unrolled;
      const bool is_written = is_update && mentions(tree_.vars, written, here.var);
      const bool is_term = is_update && here.extent > 1 && !is_written;
      const bool is_inner = is_written && tile.terms == 1 && here.kind == ir::LoopKind::Serial;
      if (!is_marked && !is_inner) break;
      const auto extent = static_cast<double>(here.extent);
      tile.iterations *= extent;
      if (here.kind == ir::LoopKind::Vectorized && tile.vector_var < 0) {
        tile.vector_var = here.var;
        tile.takes_turns = takes_turns(tree_, store, here.var);
        tile.vectors = tile.takes_turns ? extent : vectors_of(here.extent, tensor(store.tensor));
        tile.lanes = extent / tile.vectors;
      } else if (is_term) {
        tile.terms *= extent;
      } else {
        tile.rows *= extent;
        if (tile.terms == 1) tile.held *= extent;
      }
    }
    return tile;
  }

  // The rest that fills no native vector is made of shorter ones: 7 lanes are 4, 2 and 1.
  double vectors_of(std::int64_t lanes, const Tensor& stored) const {
    const int native = target_.lanes(8 * stored.element_bytes);
    return static_cast<double>(native_vectors(lanes, native));
  }

  // Arithmetic instructions of one execution; a product that is added is one. Index arithmetic and
  // conditions do not count: they are gone from inner loops when code is made.
  // Storing is one, unless the value stays in its register.
  double instructions(const Store& store, bool is_update) const {
    const Operations::Arithmetic& n = store.operations.floats;
    const int plain = is_update ? std::max(n.addsub, n.mul) : n.addsub + n.mul;
    const int functions = std::max(0, n.function - store.operations.choices);
    const double least = lines_.in_registers[static_cast<std::size_t>(store.tensor)] ? 0 : 1;
    return std::max(least, plain + n.compare + kDivisionCost * n.divmod + kFunctionCost * functions);
  }

  bool is_prefetched(const Access& access) const {
    return std::ranges::any_of(view_.loops(), [&](int l) {
      return tree_.loops[static_cast<std::size_t>(l)].ahead == access.tensor;
    });
  }

  // Lanes that are loaded one by one.
  static bool is_apart(std::int64_t step) { return step != 0 && step != 1; }
  // Elements between the lanes of a vector: 0 when all of them are the same.
  std::int64_t step_of(const Access& access, const Tile& tile) const {
    if (tile.vector_var < 0) return 0;
    if (!mentions(tree_.vars, access, tile.vector_var)) return 0;
    if (view_.is_packed(access)) return 1;
    const std::int64_t step = lane_step(tree_.vars, access, *tensor(access.tensor).shape,
                                        tile.vector_var, static_cast<std::int64_t>(tile.lanes));
    if (step == 0) return 0;
    const int last = view_.layout(access).last_axis;
    if (last < 0) return step;
    const schedule::Sum& place = access.indices.front()[static_cast<std::size_t>(last)];
    return mentions(tree_.vars, place, tile.vector_var) ? 1 : kFarApart;
  }

  // Instructions that move the operand in one pass through the tile. Passes that are written out one
  // behind the other share what they load: the windows of neighbours overlap.
  double count_of(const Store& store, const Access& access, const Tile& tile) {
    double count = 1, passes = 1;
    const std::int64_t step = step_of(access, tile);
    for (std::size_t i = 0; i < tile.depth; ++i) {
      if (!mentions(tree_.vars, access, view_.loop(i).var)) continue;
      if (view_.loop(i).var != tile.vector_var) {
        count *= static_cast<double>(view_.loop(i).extent);
      } else if (step == 0) {
        // The same for all lanes, but not for all vectors: each group of a convolution reads its own.
        const double before = i == 0 ? 1 : view_.elements_inside(access, i);
        count *= std::min(tile.vectors, view_.elements_inside(access, i + 1) / before);
      }
    }
    if (step != 0) count *= step == 1 ? tile.vectors : tile.vectors * tile.lanes;
    const double registers = target_.vector_registers - tile.held * tile.vectors;
    double least = count, held = count;
    for (std::size_t depth = tile.depth; depth < view_.loops().size(); ++depth) {
      if (!is_written_out(depth)) {
        // What a loop around all of it leaves as it is stays in its registers.
        const bool stays = held <= registers && !is_apart(step) &&
                           !mentions(tree_.vars, access, view_.loop(depth).var);
        return stays ? least / static_cast<double>(view_.loop(depth).extent) : least;
      }
      // Vectors that are put together of single elements are others in every pass.
      if (is_apart(step) && mentions(tree_.vars, access, view_.loop(depth).var)) break;
      passes *= static_cast<double>(view_.loop(depth).extent);
      const double different = view_.elements_inside(access, depth + 1) / (step == 1 ? tile.lanes : 1);
      // Too many to be held are loaded again, unless each is used up before the next one is loaded.
      if (different > registers && !fits_beside(store, access, tile, depth + 1, registers)) break;
      held = different;
      least = std::min(least, different / passes);
    }
    return least;
  }

  // Whether all else that the innermost `n` loops read can be held meanwhile.
  bool fits_beside(const Store& store, const Access& streamed, const Tile& tile, std::size_t n,
                   double registers) {
    double held = 1;  // of what streams by
    for (const Access& access : store.accesses) {
      if (&access == &streamed || access.kind != AccessKind::Read) continue;
      if (lines_.in_registers[static_cast<std::size_t>(access.tensor)]) continue;
      held += view_.elements_inside(access, n) / (step_of(access, tile) == 1 ? tile.lanes : 1);
    }
    return held <= registers;
  }

  // The loops right around the tile that leave the address of its elements fixed.
  struct Sum {
    double length = 1;        // their iterations
    bool is_straight = true;  // all of them are written out
  };
  Sum sum_of(const Store& store, std::size_t depth) const {
    const Access& written = store.accesses.front();
    Sum sum;
    for (; depth < view_.loops().size() && !mentions(tree_.vars, written, view_.loop(depth).var);
         ++depth) {
      sum.length *= static_cast<double>(view_.loop(depth).extent);
      sum.is_straight &= is_written_out(depth);
    }
    return sum;
  }

  // To load and store the accumulators of a sum that takes so many cycles and instructions, and loads
  // operands for some of the cycles. Beside the arithmetic of its neighbours when it is so short that
  // some of them are on their way at once.
  double entry_cycles(const Store& store, const Sum& sum, double accumulators, double vector_bytes,
                      double summing, double loading, double instructions) const {
    const auto id = static_cast<std::size_t>(store.tensor);
    const double load =
        starts_in_registers_[id] ? 0 : std::max(costs_.least, vector_bytes / costs_.load_bytes);
    const double stores =
        lines_.in_registers[id] ? 0 : std::max(costs_.least, vector_bytes / costs_.store_bytes);
    const bool is_beside = instructions <= costs_.beside;
    const double entry = costs_.entry + (sum.is_straight ? 0 : costs_.loop_end);
    if (!is_beside) return entry + accumulators * (load + stores);
    return entry +
           std::max({0.0, loading + accumulators * load - summing, accumulators * stores - summing});
  }

  target::Cache cache(std::size_t level) const {
    constexpr target::Cache kUnknown = {
        .level = 0, .size_bytes = 1'000'000, .ways = 8, .line_bytes = 64, .shared = false};
    return level < target_.caches.size() ? target_.caches[level] : kUnknown;
  }

  const LoopTree& tree_;
  StoreView view_;  // of the store that is being looked at
  const target::Target& target_;
  const CoreCosts& costs_;
  const StraightLines lines_;
  std::vector<bool> is_updated_;                 // by tensor: a reduction
  const std::vector<bool> starts_in_registers_;  // by tensor: a reduction whose zeros are never stored
  std::vector<int> row_of_;                      // by tensor
  std::vector<CodeRow> rows_;
};

}  // namespace

const std::array<std::string_view, kCodeColumns>& code_names() {
  static constexpr std::array<std::string_view, kCodeColumns> names = {
      "accumulators",   "overflow",   "lanes", "loads",        "steps",
      "entries",        "arithmetic", "issue", "near_traffic", "far_traffic",
      "memory_traffic", "cycles",     "ideal"};
  return names;
}

std::vector<float> code_rows(const LoopTree& tree, const std::vector<StageLayout>& layouts,
                             const target::Target& target) {
  return code_rows(tree, layouts, target, core_costs(target));
}
std::vector<float> code_rows(const LoopTree& tree, const std::vector<StageLayout>& layouts,
                             const target::Target& target, const CoreCosts& costs) {
  return Estimator(tree, layouts, target, costs).run();
}

}  // namespace hone::feature
