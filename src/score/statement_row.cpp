#include "score/statement_row.h"

#include <cmath>

#include "base/error.h"

namespace hone::score {
namespace {

// Where things stand among the 164 columns.
constexpr std::size_t kColumns = 164;
constexpr std::size_t kFloatOperations = 0;
constexpr std::size_t kIntOperations = 7;
constexpr std::size_t kLogicalOperations = 14;
constexpr std::size_t kVectorLoops = 16;
constexpr std::size_t kVectorLength = 18;
constexpr std::size_t kUnrolled = 28;
constexpr std::size_t kParallel = 39;
constexpr std::size_t kUses = 57;
constexpr std::size_t kUseColumns = 18;
constexpr std::size_t kIterations = 161;
constexpr std::size_t kAutoUnroll = 163;

double plain(float column) { return std::copysign(std::exp2(std::abs(column)) - 1, column); }

double sum(std::span<const float> columns) {
  double total = 0;
  for (const float column : columns) total += plain(column);
  return total;
}

StatementRow::Use read_use(std::span<const float> columns) {
  return {.is_written = columns[1] > 0 || columns[2] > 0,
          .bytes = plain(columns[3]),
          .unique_bytes = plain(columns[4]),
          .lines = plain(columns[5]),
          .unique_lines = plain(columns[6]),
          .reuse_distance_bytes = plain(columns[11]),
          .reuse_count = plain(columns[12]),
          .stride = plain(columns[17])};
}

}  // namespace

StatementRow read_statement(std::span<const float> columns) {
  check(columns.size() == kColumns, "a row of statement features has 164 columns");
  StatementRow row{};
  row.float_operations = sum(columns.subspan(kFloatOperations, kIntOperations - kFloatOperations));
  row.other_operations = sum(columns.subspan(kIntOperations, kLogicalOperations - kIntOperations));
  row.vector_loops = plain(columns[kVectorLoops]);
  row.vector_length = plain(columns[kVectorLength]);
  row.unrolled = plain(columns[kUnrolled]);
  row.parallel = plain(columns[kParallel]);
  for (std::size_t i = 0; i < row.uses.size(); ++i)
    row.uses[i] = read_use(columns.subspan(kUses + i * kUseColumns, kUseColumns));
  row.iterations = plain(columns[kIterations]);
  row.auto_unroll = plain(columns[kAutoUnroll]);
  return row;
}

}  // namespace hone::score
