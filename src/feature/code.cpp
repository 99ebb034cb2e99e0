#include "feature/code.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "feature/index.h"
#include "feature/straight_line.h"
#include "feature/stride.h"
#include "feature/touch.h"
#include "feature/traffic.h"

namespace hone::feature {
namespace {

// Of cores with one load of 64 bytes and one multiply-add of 64 bytes a cycle, or two narrower ones:
// the ratios count, and they are alike on all cores with wide vectors.
// Those of issue, traffic and restarts are near what orders 11,843 programs of 45 operators on a Zen 4
// best: of those within twice the best, rank correlation 0.44 in hone's space, and the best of the
// first eight at 0.95 of the best of all.
constexpr double kBytesACycle = 64;
constexpr double kLeastCycles = 0.5;  // of one instruction
constexpr double kLaneCycles = 1;     // to load one element of a vector whose elements lie apart
constexpr double kLatency = 4;        // cycles from operands to result of a multiply-add
constexpr double kFunctionCost = 20;  // instructions of exp, tanh, ...
constexpr double kDivisionCost = 8;
// Of a prefetch: it costs 1 to 2 % beside 24 accumulators and 13 to 30 % beside 4.
constexpr double kRequestCycles = 0.1;
constexpr double kSpillCost = 8;         // cycles to load and store an accumulator that has no register
constexpr double kEntryCycles = 0.5;     // to begin and end the loops around a register tile
constexpr double kTurnInstructions = 1;  // of a loop beside its body
constexpr double kIssueWidth = 3;        // instructions a cycle
// Shorter reductions overlap with the next tile's: there the latency is not waited for.
constexpr double kLongReduction = 32;
constexpr std::int64_t kFarApart = 64;  // elements between lanes that are stored one by one
constexpr std::array kTrafficBytesACycle = {40.0, 32.0, 4.0};  // from L2, L3, memory
constexpr std::array<Restart, 3> kRestarts = {{{.bytes = 96, .streams = 64},
                                               {.bytes = 80, .streams = 24},
                                               {.bytes = 128, .streams = 16, .counts_gaps = true}}};
constexpr int kReserved = 2;  // registers for operands beside the tile

double log_of(double value) { return std::log2(1 + std::max(0.0, value)); }

struct CodeRow {
  std::array<double, kCodeColumns> values{};
  double& operator[](CodeColumn column) { return values[static_cast<std::size_t>(column)]; }
};

class Estimator {
 public:
  Estimator(const LoopTree& tree, const std::vector<StageLayout>& layouts, const target::Target& target)
      : tree_(tree),
        layouts_(layouts),
        target_(target),
        lines_(straight_lines(tree, target)),
        buffer_bytes_(tree.tensors.size(), std::numeric_limits<double>::infinity()),
        is_updated_(tree.tensors.size()),
        row_of_(tree.tensors.size(), -1) {
    for (const Allocation& each : tree.allocations) {
      if (each.loop < 0) continue;
      buffer_bytes_[static_cast<std::size_t>(each.tensor)] =
          static_cast<double>(each.elements) * tensor(each.tensor).element_bytes;
    }
    for (const Store& each : tree.stores) {
      if (each.accesses.front().kind == AccessKind::ReadWrite)
        is_updated_[static_cast<std::size_t>(each.tensor)] = true;
    }
    int n_vars = 0;
    for (const Loop& each : tree.loops) n_vars = std::max(n_vars, each.var + 1);
    depth_of_.assign(static_cast<std::size_t>(n_vars), -1);
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
    std::size_t depth = 0;  // loops of chain_ that belong to it
    double iterations = 1;  // executions of the statement in one pass
    double rows = 1;        // of them, without those that lie in one vector
    double lanes = 1, vectors = 1;
    schedule::Var vector_var = -1;
  };

  const Loop& loop(int l) const { return tree_.loops[static_cast<std::size_t>(l)]; }
  const Loop& chain(std::size_t i) const { return loop(chain_[i]); }
  const Tensor& tensor(int t) const { return tree_.tensors[static_cast<std::size_t>(t)]; }

  CodeRow& row(int t) {
    int& number = row_of_[static_cast<std::size_t>(t)];
    if (number < 0) {
      number = static_cast<int>(rows_.size());
      rows_.emplace_back();
    }
    return rows_[static_cast<std::size_t>(number)];
  }

  void add(const Store& store) {
    chain_.clear();
    executions_ = 1;
    double parallel = 1;
    for (int l = store.loop; l >= 0; l = loop(l).parent) {
      chain_.push_back(l);
      executions_ *= static_cast<double>(loop(l).extent);
      depth_of_[static_cast<std::size_t>(loop(l).var)] = loop(l).depth;
      if (loop(l).kind == ir::LoopKind::Parallel) parallel *= static_cast<double>(loop(l).extent);
    }
    executions_ *= share_inside(store.accesses.front());
    CodeRow& to = row(store.tensor);
    const double cores = target_.cores;
    const double busy = parallel / std::ceil(parallel / cores);
    describe(store, busy, to);
    for (const int l : chain_) depth_of_[static_cast<std::size_t>(loop(l).var)] = -1;
  }

  // Of the elements that the loops walk over: tiles that reach beyond the tensor's edge are cut there.
  double share_inside(const Access& written) {
    if (chain_.empty()) return 1;
    elements_inside(written, chain_.size());
    double share = 1;
    const std::vector<std::int64_t>& shape = *tensor(written.tensor).shape;
    for (std::size_t d = 0; d < shape.size(); ++d)
      share *= std::min(1.0, static_cast<double>(shape[d]) / static_cast<double>(box_[d]));
    return share;
  }

  void describe(const Store& store, double busy, CodeRow& to) {
    const Access& written = store.accesses.front();
    const bool is_update = written.kind == AccessKind::ReadWrite;
    // The values that an update begins with move together with the update.
    const bool is_start = !is_update && is_updated_[static_cast<std::size_t>(store.tensor)];
    const Tile tile = tile_of(store, written, is_update);
    const double element = tensor(store.tensor).element_bytes;
    const double cycles_an_op = std::max(kLeastCycles, tile.lanes * element / kBytesACycle);
    const double accumulators = tile.rows * tile.vectors;
    const double arithmetic = instructions(store, is_update) * accumulators;
    double loads = 0, load_cycles = 0, requests = 0;
    for (const Access& access : store.accesses) {
      if (&access == &written && is_update) continue;
      if (lines_.in_registers[static_cast<std::size_t>(access.tensor)]) continue;
      const double count = count_of(access, tile);
      const std::int64_t step = step_of(access, tile);
      loads += count;
      load_cycles += count * (step == 1 ? cycles_an_op : step == 0 ? kLeastCycles : kLaneCycles);
      if (is_prefetched(access)) requests += count;
    }
    const double registers = target_.vector_registers - kReserved;
    const bool is_held = is_update && accumulators <= registers;
    const double overflow = is_update ? std::max(0.0, accumulators - registers) : 0;
    const double steps = executions_ / tile.iterations;
    const double reduced = is_update ? reduction(written, tile.depth) : 1;
    const double entries = steps / reduced;
    double issue = std::max(arithmetic * cycles_an_op, load_cycles);
    if (is_update && reduced >= kLongReduction) issue = std::max(issue, kLatency);
    if (is_update && !is_held) issue += kSpillCost * accumulators;
    // Counting and jumping cost nothing beside a body that keeps the vector units busy.
    const double unrolled = std::max(1.0, store.auto_unroll_max_step / accumulators);
    issue = std::max(issue, (arithmetic + loads + kTurnInstructions / unrolled) / kIssueWidth);
    issue += requests * kRequestCycles;
    const double entry = is_update ? kEntryCycles + accumulators * 2 * cycles_an_op : 0;

    // The last store to a tensor is the one that counts: the update of a reduction.
    to[CodeColumn::Accumulators] = accumulators;
    to[CodeColumn::Overflow] = overflow;
    to[CodeColumn::Lanes] = tile.lanes;
    to[CodeColumn::Loads] = loads / std::max(1.0, arithmetic);
    to[CodeColumn::Steps] += steps;
    to[CodeColumn::Entries] += entries;
    to[CodeColumn::Arithmetic] += steps * arithmetic * cycles_an_op / busy;
    const double issued = (steps * issue + entries * entry) / busy;
    to[CodeColumn::Issue] += issued;
    double slowest = issued, total = issued;
    if (!is_start) note_footprints(store);
    for (std::size_t level = 0; level < kTrafficBytesACycle.size(); ++level) {
      const double bytes = is_start ? 0 : traffic(touched_, cache(level), kRestarts[level]);
      const double cycles = bytes / kTrafficBytesACycle[level] / busy;
      to.values[static_cast<std::size_t>(CodeColumn::NearTraffic) + level] += cycles;
      slowest = std::max(slowest, cycles);
      total += cycles;
    }
    constexpr double kHidden = 0.85;  // of what is not the slowest
    // What stays in registers is made in the shadow of whoever sums it up.
    const auto id = static_cast<std::size_t>(store.tensor);
    const bool is_shadowed = lines_.in_registers[id] && !is_updated_[id];
    to[CodeColumn::Cycles] +=
        is_shadowed ? (1 - kHidden) * total : slowest + (1 - kHidden) * (total - slowest);
    const double lanes = target_.lanes(static_cast<int>(8 * element));
    to[CodeColumn::Ideal] += executions_ * instructions(store, is_update) / lanes / target_.cores;
  }

  // Vector loops, unrolled ones, and for an update the loops inside of its innermost reduction.
  Tile tile_of(const Store& store, const Access& written, bool is_update) const {
    Tile tile;
    for (; tile.depth < chain_.size(); ++tile.depth) {
      const Loop& here = chain(tile.depth);
      const bool is_marked =
          here.kind == ir::LoopKind::Vectorized || here.kind == ir::LoopKind::Unrolled;
      const bool is_inner =
          is_update && here.kind == ir::LoopKind::Serial && mentions(tree_.vars, written, here.var);
      if (!is_marked && !is_inner) break;
      const auto extent = static_cast<double>(here.extent);
      tile.iterations *= extent;
      if (here.kind == ir::LoopKind::Vectorized && tile.vector_var < 0) {
        const double native = target_.lanes(8 * tensor(store.tensor).element_bytes);
        tile.vector_var = here.var;
        tile.vectors = takes_turns(store, here.var) ? extent : std::ceil(extent / native);
        tile.lanes = extent / tile.vectors;
      } else {
        tile.rows *= extent;
      }
    }
    return tile;
  }

  // Whether the elements of a vector differ in what is done for them: padding in the midst of several
  // dimensions that were fused into it.
  bool takes_turns(const Store& store, schedule::Var var) const {
    const Index& index = store.accesses.front().indices.front();
    const auto dims = std::ranges::count_if(
        index, [&](const schedule::Sum& sum) { return mentions(tree_.vars, sum, var); });
    return store.operations.choices > 0 && dims > 1;
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

  const StageLayout& layout(const Access& access) const {
    return layouts_[static_cast<std::size_t>(tensor(access.tensor).stage)];
  }
  // Reads follow the layout; filling it may go across.
  bool is_packed(const Access& access) const {
    return access.kind == AccessKind::Read && layout(access).is_packed;
  }

  bool is_prefetched(const Access& access) const {
    return std::ranges::any_of(chain_, [&](int l) { return loop(l).ahead == access.tensor; });
  }

  // Elements between the lanes of a vector: 0 when all of them are the same.
  std::int64_t step_of(const Access& access, const Tile& tile) const {
    if (tile.vector_var < 0) return 0;
    const std::int64_t step = stride(tree_.vars, access, *tensor(access.tensor).shape, tile.vector_var);
    if (step == 0) return 0;
    if (is_packed(access)) return 1;
    const int last = layout(access).last_axis;
    if (last < 0) return step;
    const schedule::Sum& place = access.indices.front()[static_cast<std::size_t>(last)];
    return mentions(tree_.vars, place, tile.vector_var) ? 1 : kFarApart;
  }

  // Instructions that move the operand in one pass through the tile. Passes that are written out one
  // behind the other share what they load: the windows of neighbours overlap.
  double count_of(const Access& access, const Tile& tile) {
    double count = 1, passes = 1;
    for (std::size_t i = 0; i < tile.depth; ++i) {
      if (chain(i).var == tile.vector_var) continue;
      if (mentions(tree_.vars, access, chain(i).var)) count *= static_cast<double>(chain(i).extent);
    }
    const std::int64_t step = step_of(access, tile);
    count *= step == 0 ? 1 : step == 1 ? tile.vectors : tile.vectors * tile.lanes;
    const double registers = target_.vector_registers - tile.rows * tile.vectors;
    double least = count;
    for (std::size_t depth = tile.depth; depth < chain_.size(); ++depth) {
      if (!lines_.is_written_out[static_cast<std::size_t>(chain_[depth])]) break;
      passes *= static_cast<double>(chain(depth).extent);
      const double different = elements_inside(access, depth + 1) / (step == 1 ? tile.lanes : 1);
      if (different > registers) break;  // and is loaded again
      least = std::min(least, different / passes);
    }
    return least;
  }

  // Iterations of the loops right around the tile that leave the address of its elements fixed.
  double reduction(const Access& written, std::size_t depth) const {
    double product = 1;
    for (; depth < chain_.size() && !mentions(tree_.vars, written, chain(depth).var); ++depth)
      product *= static_cast<double>(chain(depth).extent);
    return product;
  }

  // Different elements of the operand that the innermost `n` loops touch; their box stays in box_.
  double elements_inside(const Access& access, std::size_t n, std::int64_t turns = kAllTurns) {
    touched_box(tree_.vars, access, depth_of_, chain(n - 1).depth, box_, turns);
    double elements = 1;
    for (const std::int64_t extent : box_) elements *= static_cast<double>(extent);
    return elements;
  }

  target::Cache cache(std::size_t level) const {
    constexpr target::Cache kUnknown = {
        .level = 0, .size_bytes = 1'000'000, .ways = 8, .line_bytes = 64, .shared = false};
    return level < target_.caches.size() ? target_.caches[level] : kUnknown;
  }

  void note_footprints(const Store& store) {
    touched_.buffer_bytes.clear();
    touched_.extents.clear();
    touched_.parts.clear();
    for (const Access& access : store.accesses)
      touched_.buffer_bytes.push_back(buffer_bytes_[static_cast<std::size_t>(access.tensor)]);
    for (std::size_t n = 1; n <= chain_.size(); ++n) {
      std::int64_t before = 1;
      note_periods(store, chain(n - 1));
      for (const std::int64_t turns : periods_) {
        if (turns <= before || turns % before != 0) continue;
        touched_.extents.push_back(static_cast<double>(turns / before));
        for (const Access& access : store.accesses)
          touched_.parts.push_back(part_inside(access, n, turns));
        before = turns;
      }
    }
  }

  // Of a loop that several were fused into, each counts by itself.
  void note_periods(const Store& store, const Loop& loop) {
    periods_.assign(1, loop.extent);
    for (const Access& access : store.accesses) add_periods(tree_.vars, access, loop.var, periods_);
    std::ranges::sort(periods_);
  }

  Footprint part_inside(const Access& access, std::size_t n, std::int64_t turns) {
    const double elements = elements_inside(access, n, turns);
    const Tensor& whole = tensor(access.tensor);
    Footprint part = footprint(box_, *whole.shape, whole.element_bytes);
    if (is_packed(access)) {
      const double bytes = elements * whole.element_bytes;
      part = {.bytes = bytes, .run = bytes, .in_page = std::min<double>(bytes, kPageBytes)};
    }
    part.bytes = std::min(part.bytes, buffer_bytes_[static_cast<std::size_t>(access.tensor)]);
    part.passes = access.kind == AccessKind::Read ? 1 : 2;
    return part;
  }

  const LoopTree& tree_;
  const std::vector<StageLayout>& layouts_;
  const target::Target& target_;
  const StraightLines lines_;
  // By tensor, of what holds it: a part that is computed where it is needed is written over and over.
  std::vector<double> buffer_bytes_;
  std::vector<bool> is_updated_;  // by tensor: a reduction
  std::vector<int> row_of_;       // by tensor
  std::vector<CodeRow> rows_;

  // Of the store that is being looked at.
  std::vector<int> chain_;     // loops around it, innermost first
  std::vector<int> depth_of_;  // by variable, -1 for loops that are not around it
  std::vector<std::int64_t> box_;
  std::vector<std::int64_t> periods_;
  Footprints touched_;
  double executions_ = 1;
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
  return Estimator(tree, layouts, target).run();
}

}  // namespace hone::feature
