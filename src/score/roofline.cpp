#include "score/roofline.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "score/statement_row.h"

namespace hone::score {
namespace {

// Cycles that a turn of a loop takes beside its body: counting, comparing, jumping.
constexpr double kTurnCycles = 1;
// A loop inside `auto_unroll` is unrolled when its body is small; the mean over bodies of all sizes.
constexpr double kUnrolledTurns = 8;

// How many of `slots` are busy on average when `work` equal pieces are dealt out.
double busy(double work, double slots) { return work <= 1 ? 1 : work / std::ceil(work / slots); }

// The share of each vector that is used when a loop of `length` is cut into vectors.
double used_lanes(const StatementRow& row, double lanes) {
  return row.vector_loops > 0 ? std::max(1.0, busy(row.vector_length, lanes)) : 1;
}

double compute_cycles(const StatementRow& row, const RooflineMachine& machine) {
  const double operations = std::max(row.float_operations + row.other_operations, row.iterations);
  return operations / (machine.flops_per_lane * used_lanes(row, machine.lanes));
}

double loop_cycles(const StatementRow& row) {
  const double per_turn = std::max(1.0, row.vector_length) * std::max(1.0, row.unrolled) *
                          (row.auto_unroll > 0 ? kUnrolledTurns : 1);
  return kTurnCycles * row.iterations / per_turn;
}

// Bytes that come into a cache of this size: every access, less those that find what the one before
// them brought in.
double traffic(const StatementRow::Use& use, double cache_bytes, double line_bytes) {
  const bool is_kept = use.reuse_count > 0 && use.reuse_distance_bytes <= cache_bytes;
  const double lines = is_kept ? use.lines / use.reuse_count : use.lines;
  return std::max(lines, use.unique_lines) * line_bytes * (use.is_written ? 2 : 1);
}

double memory_cycles(const StatementRow& row, const RooflineMachine& machine) {
  double slowest = 0;
  for (std::size_t level = 0; level + 1 < machine.levels.size(); ++level) {
    double bytes = 0;
    for (const StatementRow::Use& use : row.uses)
      bytes += traffic(use, machine.levels[level].size_bytes, machine.line_bytes);
    slowest = std::max(slowest, bytes / machine.levels[level + 1].bytes_per_cycle);
  }
  return slowest;
}

double cycles(const StatementRow& row, const RooflineMachine& machine) {
  const double one_core =
      std::max(compute_cycles(row, machine), memory_cycles(row, machine)) + loop_cycles(row);
  return one_core / busy(row.parallel, machine.cores);
}

// What the statement would take if nothing but the machine's peaks counted.
double ideal_cycles(const StatementRow& row, const RooflineMachine& machine) {
  double bytes = 0;
  for (const StatementRow::Use& use : row.uses) bytes += use.unique_bytes;
  const double arithmetic = row.float_operations / (machine.flops_per_lane * machine.lanes);
  return std::max(arithmetic, bytes / machine.levels.front().bytes_per_cycle) / machine.cores;
}

}  // namespace

RooflineMachine roofline_machine(int cores, double lanes, std::span<const double> cache_bytes) {
  constexpr double kBytesPerCycle[] = {64, 32, 16, 4};  // from L1, L2, L3, memory
  RooflineMachine machine{.cores = cores, .lanes = lanes, .levels = {}};
  for (std::size_t i = 0; i < std::min<std::size_t>(cache_bytes.size(), 3); ++i)
    machine.levels.push_back({cache_bytes[i], kBytesPerCycle[i]});
  machine.levels.push_back({INFINITY, kBytesPerCycle[3]});
  return machine;
}

std::vector<Prediction> Roofline::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> out(samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    double taken = 0;
    double ideal = 0;
    for (std::size_t r = 0; r < samples[i].n_rows(); ++r) {
      const StatementRow row = read_statement(samples[i].row(r));
      taken += cycles(row, machine_);
      ideal += ideal_cycles(row, machine_);
      // A statement costs, so its share is negative; the less the better.
      out[i].parts.push_back(static_cast<float>(-cycles(row, machine_)));
    }
    out[i].valid = samples[i].n_rows() == 0 ? 0 : 1;
    out[i].score = taken > 0 ? std::min(1.0, ideal / taken) : 0;
  }
  return out;
}

}  // namespace hone::score
