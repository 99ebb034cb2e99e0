#include "feature/store_columns.h"

#include <algorithm>

namespace hone::feature {
namespace {

using space::Hardware;

constexpr std::size_t kInnermost = 6;  // loops that are listed

// Cores that are busy on average while the iterations are shared out.
double busy_cores(double parallel, const Hardware& hardware) {
  return parallel / std::ceil(parallel / std::max(1, hardware.cores));
}

// Floats of a native vector.
double native_lanes(const Hardware& hardware) { return std::max(1.0, hardware.vector_bytes / 4.0); }

double fill(double count, double unit) { return count / (std::ceil(count / unit) * unit); }

class StoreWriter {
 public:
  StoreWriter(const LoopTree& tree, const StoreFacts& facts, const Hardware& hardware)
      : tree_(tree), facts_(facts), hardware_(hardware), moved_(movement(tree, facts)) {}

  void write(Columns& to) const {
    to.flag("is_update", facts_.is_update);
    to.amount("executions", facts_.executions);
    to.amount("work", facts_.work);
    to.amount("critical_work", critical(facts_, hardware_));
    to.value("loops", static_cast<double>(facts_.chain.size()));
    to.amount("parallel", facts_.parallel);
    to.value("busy_share", busy_cores(facts_.parallel, hardware_) / std::max(1, hardware_.cores));
    to.amount("threads", facts_.threads);
    to.amount("virtual_threads", facts_.virtual_threads);
    to.value("warp_fill", fill(facts_.threads, std::max(1, hardware_.warp)));
    to.amount("vector", facts_.vector);
    to.value("vector_fill", fill(facts_.vector, native_lanes(hardware_)));
    to.amount("unroll_steps", facts_.store->auto_unroll_max_step);
    write_registers(to);
    write_innermost(to);
    write_tiles(to);
    for (const std::int64_t bytes : kCacheBytes) write_cache(to, static_cast<double>(bytes));
    for (std::size_t o = 0; o < kOperands; ++o) {
      const auto group = to.group("operand", static_cast<int>(o));
      const Operand& operand = moved_.operands[o];
      to.amount("stride", operand.stride);
      to.amount("vector_stride", operand.vector_stride);
      to.amounts("bytes", operand.bytes, kTiles);
    }
  }

 private:
  double extent(std::size_t i) const {
    return static_cast<double>(tree_.loops[static_cast<std::size_t>(facts_.chain[i])].extent);
  }

  void write_registers(Columns& to) const {
    const std::size_t inside = facts_.tile_loops[static_cast<std::size_t>(Tile::Register)];
    double inner = 1, all = 1;
    for (std::size_t i = inside; i < facts_.chain.size() && facts_.is_reduced[i]; ++i)
      inner *= extent(i);
    for (std::size_t i = inside; i < facts_.chain.size(); ++i)
      all *= facts_.is_reduced[i] ? extent(i) : 1;
    double unrolled = 1;
    for (std::size_t i = 0; i < facts_.chain.size(); ++i) {
      if (unrolled * extent(i) > facts_.store->auto_unroll_max_step) break;
      unrolled *= extent(i);
    }
    const double rows = facts_.iterations(0, inside, tree_) / facts_.vector;
    to.amount("inner_reduction", inner);
    to.amount("reduction", all);
    to.amount("unrolled", unrolled);
    to.amount("register_rows", rows);
    to.amount("accumulators", rows * std::ceil(facts_.vector / native_lanes(hardware_)));
  }

  void write_innermost(Columns& to) const {
    std::vector<double> extents, reduced;
    for (std::size_t i = 0; i < std::min(kInnermost, facts_.chain.size()); ++i) {
      extents.push_back(extent(i));
      reduced.push_back(facts_.is_reduced[i] ? 1 : 0);
    }
    to.amounts("loop", extents, kInnermost);
    to.amounts("is_reduced", reduced, kInnermost);
  }

  void write_tiles(Columns& to) const {
    for (std::size_t tile = 0; tile < kTiles; ++tile) {
      const auto group = to.group("tile", static_cast<int>(tile));
      const std::size_t n = facts_.tile_loops[tile];
      to.amount("iterations", facts_.iterations(0, n, tree_));
      to.amount("bytes", moved_.bytes[n]);
    }
  }

  // How much is done inside of the loops that stay in the cache, and what the others bring into it.
  void write_cache(Columns& to, double cache_bytes) const {
    const auto group = to.group("cache", static_cast<int>(cache_bytes / 1024));
    std::size_t n = 0;
    while (n < facts_.chain.size() && moved_.bytes[n + 1] <= cache_bytes) ++n;
    const std::size_t next = std::min(n + 1, facts_.chain.size());
    const double traffic = moved_.bytes[next] * facts_.iterations(next, facts_.chain.size(), tree_);
    to.amount("iterations", facts_.iterations(0, n, tree_));
    to.amount("traffic", traffic);
    to.value("work_per_byte", log_ratio(facts_.work, std::max(1.0, traffic)));
  }

  const LoopTree& tree_;
  const StoreFacts& facts_;
  const Hardware& hardware_;
  Movement moved_;
};

}  // namespace

void write_store(Columns& to, const LoopTree& tree, const StoreFacts& facts, const Hardware& hardware) {
  StoreWriter(tree, facts, hardware).write(to);
}

double critical(const StoreFacts& facts, const Hardware& hardware) {
  if (hardware.kind == Hardware::Kind::Gpu) return facts.work / (facts.parallel * facts.threads);
  const double lanes = facts.vector / std::ceil(facts.vector / native_lanes(hardware));
  return facts.work / (busy_cores(facts.parallel, hardware) * lanes);
}

double log_ratio(double a, double b) {
  constexpr double kLeast = 1e-9, kMost = 40;
  return std::clamp(std::log2(std::max(a, kLeast) / std::max(b, kLeast)), -kMost, kMost);
}

}  // namespace hone::feature
