#include "graph/evaluate/multiply.h"

#include <algorithm>
#include <cstring>

#include "base/affinity.h"
#include "base/parallel.h"
#include "graph/evaluate/elements.h"

namespace hone::graph {
namespace {

constexpr std::int64_t kTileRows = 4;

// tile [kTileRows, kPanelColumns] = a [kTileRows, depth] * panel.
template <class Wide>
void multiply_tile(const Wide* a, std::int64_t depth, const Wide* panel, Wide* tile) {
  std::fill_n(tile, kTileRows * kPanelColumns, Wide{0});
  for (std::int64_t k = 0; k < depth; ++k, panel += kPanelColumns) {
    for (std::int64_t row = 0; row < kTileRows; ++row) {
      const Wide factor = a[row * depth + k];
      for (std::int64_t column = 0; column < kPanelColumns; ++column) {
        Wide& total = tile[row * kPanelColumns + column];
        total = sum(total, product(factor, panel[column]));
      }
    }
  }
}

// The same with the totals held in registers; written with vectors as long as the widest machine's,
// which the compiler cuts to those of the function's target.
[[gnu::always_inline]] inline void multiply_doubles(const double* a, std::int64_t depth,
                                                    const double* panel, double* tile) {
  using Vector [[gnu::vector_size(64)]] = double;
  constexpr std::int64_t kLanes = sizeof(Vector) / sizeof(double);
  constexpr std::int64_t kVectors = kPanelColumns / kLanes;
  Vector totals[kTileRows][kVectors] = {};
  for (std::int64_t k = 0; k < depth; ++k, panel += kPanelColumns) {
    Vector b[kVectors];
    std::memcpy(&b, panel, sizeof b);
    // Unrolled, because only arrays that are indexed by constants become registers.
#pragma GCC unroll 4
    for (std::int64_t row = 0; row < kTileRows; ++row) {
#pragma GCC unroll 4
      for (std::int64_t v = 0; v < kVectors; ++v) totals[row][v] += a[row * depth + k] * b[v];
    }
  }
  std::memcpy(tile, &totals, sizeof totals);
}

using DoubleTile = void (*)(const double* a, std::int64_t depth, const double* panel, double* tile);

void multiply_anywhere(const double* a, std::int64_t depth, const double* panel, double* tile) {
  multiply_doubles(a, depth, panel, tile);
}

#ifdef __x86_64__
[[gnu::target("avx512f")]] void multiply_avx512(const double* a, std::int64_t depth,
                                                const double* panel, double* tile) {
  multiply_doubles(a, depth, panel, tile);
}
[[gnu::target("avx2,fma")]] void multiply_avx2(const double* a, std::int64_t depth, const double* panel,
                                               double* tile) {
  multiply_doubles(a, depth, panel, tile);
}
DoubleTile double_tile() {
  if (__builtin_cpu_supports("avx512f")) return multiply_avx512;
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? multiply_avx2
                                                                         : multiply_anywhere;
}
#else
DoubleTile double_tile() { return multiply_anywhere; }
#endif

template <class Wide>
auto tile_of() {
  if constexpr (std::is_same_v<Wide, double>) {
    return double_tile();
  } else {
    return &multiply_tile<Wide>;
  }
}

}  // namespace

template <class Wide>
void multiply(std::span<const Wide> a, std::int64_t rows, std::int64_t depth, std::int64_t columns,
              const FillPanel<Wide>& fill, std::span<Wide> out) {
  // Rows up to a whole number of tiles: what is added is multiplied and not stored.
  const std::int64_t whole_rows = (rows + kTileRows - 1) / kTileRows * kTileRows;
  std::vector<Wide> padded(static_cast<std::size_t>(whole_rows * depth));
  std::ranges::copy(a, padded.begin());
  const auto multiply_one = tile_of<Wide>();
  const auto panels = static_cast<std::size_t>((columns + kPanelColumns - 1) / kPanelColumns);
  parallel_for(panels, static_cast<int>(allowed_cpus().size()), [&](std::size_t number) {
    const std::int64_t first = static_cast<std::int64_t>(number) * kPanelColumns;
    const std::int64_t count = std::min(kPanelColumns, columns - first);
    std::vector<Wide> panel(static_cast<std::size_t>(depth * kPanelColumns));
    fill(first, panel);
    std::vector<Wide> tile(kTileRows * kPanelColumns);
    for (std::int64_t row = 0; row < whole_rows; row += kTileRows) {
      multiply_one(padded.data() + row * depth, depth, panel.data(), tile.data());
      for (std::int64_t r = row; r < std::min(row + kTileRows, rows); ++r) {
        std::copy_n(tile.begin() + (r - row) * kPanelColumns, count, out.begin() + r * columns + first);
      }
    }
  });
}

template void multiply(std::span<const double>, std::int64_t, std::int64_t, std::int64_t,
                       const FillPanel<double>&, std::span<double>);
template void multiply(std::span<const std::int64_t>, std::int64_t, std::int64_t, std::int64_t,
                       const FillPanel<std::int64_t>&, std::span<std::int64_t>);
template void multiply(std::span<const std::uint64_t>, std::int64_t, std::int64_t, std::int64_t,
                       const FillPanel<std::uint64_t>&, std::span<std::uint64_t>);

}  // namespace hone::graph
