// Products of matrices: what convolutions and matrix products have in common.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

inline constexpr std::int64_t kPanelColumns = 32;

// Writes columns [first, first + kPanelColumns) of b, row after row; columns beyond the last are
// anything finite.
template <class Wide>
using FillPanel = std::function<void(std::int64_t first, std::span<Wide> panel)>;

// out [rows, columns] = a [rows, depth] * b [depth, columns], where b is asked for in panels of some
// columns, on several threads. Integers wrap.
template <class Wide>
void multiply(std::span<const Wide> a, std::int64_t rows, std::int64_t depth, std::int64_t columns,
              const FillPanel<Wide>& fill, std::span<Wide> out);

}  // namespace hone::graph
