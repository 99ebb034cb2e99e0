// How the elements that the lanes of a vector access lie to each other.
#pragma once
#include <cstdint>
#include <vector>

#include "feature/loop_tree.h"

namespace hone::feature {

// More than any vector is long: lanes that lie this far apart are loaded one by one.
inline constexpr std::int64_t kFarApart = 64;

// Elements between neighbours in every `lanes` successive turns of the loop; 0 when all are the same,
// kFarApart when the distances differ: a vector across the border of two groups of a convolution, say.
std::int64_t lane_step(const schedule::Vars& vars, const Access& access,
                       const std::vector<std::int64_t>& shape, schedule::Var var, std::int64_t lanes);

// Whether the element is at the same distance after every one of `turns` turns of the loop.
bool is_line(const schedule::Vars& vars, const Access& access, schedule::Var var, std::int64_t turns);

}  // namespace hone::feature
