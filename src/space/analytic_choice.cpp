// Tile sizes for the generic structure without any measurement: from registers, lanes and caches.
#include <algorithm>

#include "space/blocks.h"
#include "space/choose.h"
#include "space/operand.h"
#include "space/panels.h"

namespace hone::space {
namespace {

constexpr std::int64_t kL1Ways = 8;  // rows that may share one L1 set before they evict each other
constexpr std::int64_t kConflictBytes = 4096;  // rows this far apart fall into one set
constexpr std::int64_t kUnrollShort = 64;      // auto_unroll_max_step of short reductions
constexpr std::int64_t kMaxVectors = 6;        // of a row of the register tile
constexpr std::int64_t kBlockColumns = 3;      // vectors; as wide as most register tiles

// A variable of the register tile and how many values it takes in it.
struct Span {
  ir::Expr var;
  std::int64_t extent;
};

// Elements of the operand that lie under the spans: those that two steps share are loaded once.
double elements(const Operand& operand, const std::vector<Span>& spans) {
  double product = 1;
  for (const ir::Linear& sum : operand.index) {
    std::int64_t width = 1;
    std::int64_t most = 1;
    for (const Span& span : spans) {
      const std::int64_t step = coefficient(sum, span.var);
      width += step * (span.extent - 1);
      if (step != 0) most *= span.extent;
    }
    product *= static_cast<double>(std::min(width, most));
  }
  return product;
}

// Chooses the register tile of one op.
class TileChooser {
 public:
  TileChooser(const task::Op& op, const target::Target& target)
      : op_(op),
        target_(target),
        operands_(operands_of(op)),
        is_short_(reduction_steps(op) <= kShortReduction),
        best_(whole(op, lanes_for(op, target))) {
    const std::vector<int> rows = row_axes(op);
    if (rows.empty()) try_rows();
    for (const int row : rows) {
      row_ = row;
      try_rows();
    }
    if (is_short_ && !op_.reduce_axes.empty()) best_.unroll = kUnrollShort;
  }

  const Tiling& best() const { return best_; }

 private:
  // Twice as many operations of half the width, and twice as many loads.
  static constexpr double kNarrow = 1.2;

  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // Register tiles with rows along `row_`.
  void try_rows() {
    const int widest = lanes_for(op_, target_);
    const std::size_t v = op_.axes.size() - 1;
    for (const int lanes : {widest, std::max(1, widest / 2)}) {
      const std::int64_t most = std::min(ceil_div(op_.axes[v].extent, lanes), kMaxVectors);
      for (std::int64_t vectors = 1; vectors <= most; ++vectors) {
        for (std::int64_t rows = 1; rows <= max_rows(vectors); ++rows) {
          Tiling t = whole(op_, lanes);
          t.inner[v] = vectors;
          if (row_ >= 0) t.inner[at(row_)] = balanced(op_.axes[at(row_)].extent, rows);
          const double cost = waste(t) * tile_cost(t) * (lanes == widest ? 1.0 : kNarrow);
          if (cost < best_cost_) best_cost_ = cost, best_ = t;
        }
      }
    }
  }

  std::int64_t max_rows(std::int64_t vectors) const {
    if (row_ < 0) return 1;
    std::int64_t most = 1;
    const bool conflicts = rows_conflict();
    while (fits_registers(most + 1, vectors, target_) && most < op_.axes[at(row_)].extent &&
           !(conflicts && most == kL1Ways))
      ++most;
    return most;
  }

  // Whether the rows of a broadcast operand fall into one set of the first cache.
  bool rows_conflict() const {
    const ir::Expr& row = op_.axes[at(row_)].var;
    return std::any_of(operands_.begin(), operands_.end(), [&](const Operand& operand) {
      if (uses(operand, op_.axes.back().var)) return false;
      std::int64_t step = 0;
      for (std::size_t d = 0; d < operand.index.size(); ++d)
        step += coefficient(operand.index[d], row) * operand.strides[d];
      return step > 0 && step % kConflictBytes == 0;
    });
  }

  // Multiply-adds of the register tiles over those that the result needs: 1 is perfect.
  double waste(const Tiling& t) const {
    double ratio = 1;
    for (std::size_t a = 0; a < op_.axes.size(); ++a) {
      const bool is_vector = a + 1 == op_.axes.size();
      const std::int64_t covered =
          tiles(op_, t, a) * t.inner[a] * t.level2[a] * (is_vector ? t.lanes : 1);
      ratio *= static_cast<double>(covered) / static_cast<double>(op_.axes[a].extent);
    }
    return ratio;
  }

  // Estimated time of a register tile per multiply-add of its vectors; 1 at the FMA bound. With few
  // accumulators the FMA latency shows, with little reuse the loads do.
  double tile_cost(const Tiling& t) const {
    constexpr double kLatency = 8;      // FMAs in flight that hide the latency of one
    constexpr double kBroadcast = 0.5;  // cost of loading one element beside that of a vector
    constexpr double kStreamed = 2;     // of a vector that the first cache does not hold
    const std::int64_t rows = row_ < 0 ? 1 : t.inner[at(row_)];
    const std::int64_t vectors = t.inner.back();
    std::vector<Span> spans = {{op_.axes.back().var, vectors}};
    if (row_ >= 0) spans.push_back({op_.axes[at(row_)].var, rows});
    double steps = 1;
    if (is_short_) {
      for (const task::Axis& axis : op_.reduce_axes) spans.push_back({axis.var, axis.extent});
      steps = static_cast<double>(reduction_steps(op_));
    }
    const auto accumulators = static_cast<double>(rows * vectors);
    double loads = 0;
    for (const Operand& operand : operands_) {
      const double n = elements(operand, spans);
      const bool is_streamed = 2 * n > accumulators * steps;  // used once, so it comes from afar
      const bool is_vector = uses(operand, op_.axes.back().var);
      loads += n * (!is_vector ? kBroadcast : is_streamed ? kStreamed : 1);
    }
    const double latency = std::max(1.0, kLatency / accumulators);
    loads /= accumulators * steps;
    return std::max(latency, loads) + 0.1 * loads;
  }

  const task::Op& op_;
  const target::Target& target_;
  const std::vector<Operand> operands_;
  const bool is_short_;  // all taps are unrolled: neighbours share what they load
  int row_ = -1;         // the axis of the tile's rows; -1: none
  Tiling best_;
  double best_cost_ = 1e30;
};

// Chunks for parallel loops: whole rows of tiles stay together unless that leaves threads idle.
void group_tiles(const task::Op& op, int threads, Tiling& t) {
  const std::int64_t wanted = 4 * static_cast<std::int64_t>(threads);
  std::int64_t outer = 1;
  for (std::size_t a = 0; a < op.axes.size(); ++a) outer *= tiles(op, t, a);
  for (const int a : row_axes(op)) {
    const auto axis = static_cast<std::size_t>(a);
    const std::int64_t n = tiles(op, t, axis);
    std::int64_t group = std::max<std::int64_t>(1, std::min(n, outer / wanted));
    while (group > 1 && n % group != 0) --group;
    t.level1[axis] = group;
    outer /= group;
  }
}

Tiling analytic_tiling(const task::Op& op, const target::Target& target, int threads) {
  Tiling tiling = TileChooser(op, target).best();
  group_tiles(op, threads, tiling);
  tiling.vector_axis_outermost = true;
  return tiling;
}

// All rows, and one of what else can be told apart: a head of attention.
void shape_blocks(const task::Op& op, const StageRole& role, Tiling& t) {
  if (role.shared.empty()) return;
  for (std::size_t a = 0; a < t.level1.size(); ++a) {
    const bool is_row = t.inner[a] > 1;
    t.level1[a] = is_row ? tiles(op, t, a) : 1;
  }
  keep_blocks_whole(op, role, t);
}

// A gathered vector costs as much as it has lanes, so copying pays from the second use on.
PanelPlace analytic_panel(const task::Task& task, const std::vector<StageRole>& roles,
                          const task::Op& op, int operand, const Tiling& t) {
  const task::Op& packed = task.ops[static_cast<std::size_t>(operand)];
  const bool pays = is_gathered(task, roles, op, packed) && panel_reuse(op, packed, t, kInChunk) > 1;
  return pays ? kInChunk : kNoPanel;
}

RowTiling analytic_rows(const task::Op& op, bool attaches, const target::Target& target) {
  constexpr std::int64_t kVectors = 4;  // in flight, which hides the latency of their operations
  const int lanes = lanes_for(columns(op), native_lanes(op, target));
  const std::int64_t rows = attaches ? std::min<std::int64_t>(2, last_row_extent(op)) : 1;
  return {lanes, std::min(kVectors, ceil_div(columns(op), lanes)), rows, 0};
}

}  // namespace

Choice analytic_choice(const task::Task& task, const std::vector<StageRole>& roles,
                       const target::Target& target, int threads) {
  return choose(
      task, roles,
      [&](std::size_t i) {
        Tiling t = analytic_tiling(task.ops[i], target, threads);
        shape_blocks(task.ops[i], roles[i], t);
        for (const int operand : roles[i].panels)
          t.panels.push_back(analytic_panel(task, roles, task.ops[i], operand, t));
        return t;
      },
      [&](const task::Op& op, bool has_rows) { return analytic_rows(op, has_rows, target); },
      [&](const task::Op& op) {
        const int lanes = lanes_for(op, target);
        const std::int64_t blocks = ceil_div(op.axes.back().extent, kBlockColumns * lanes);
        return PatchTiling{lanes, kBlockColumns, ceil_div(blocks, threads)};
      });
}

schedule::Steps analytic_steps(const task::Task& task, const target::Target& target, int threads) {
  const std::vector<StageRole> roles = structure(task, task::analyse(task));
  return steps_for(task, roles, analytic_choice(task, roles, target, threads));
}

}  // namespace hone::space
