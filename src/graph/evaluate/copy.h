// Copies in which each dimension of the result says where its elements come from.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

inline constexpr std::int64_t kNothing = -1;

// A dimension each of the result: offsets in elements, which add up to the source of an element;
// kNothing in any dimension means that it has none.
using Sources = std::vector<std::vector<std::int64_t>>;

// One dimension's offsets: `place(i)` (or kNothing) times `stride`.
std::vector<std::int64_t> sources_along(std::int64_t extent, std::int64_t stride,
                                        const std::function<std::int64_t(std::int64_t)>& place);

// `fill` is the element for places without a source, and may be left out when there are none.
Tensor copy(const Tensor& input, const Shape& shape, const Sources& sources,
            std::span<const std::byte> fill = {});

}  // namespace hone::graph
