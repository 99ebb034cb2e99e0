// The k largest or smallest elements along an axis: the one computation that is not compiled.
#pragma once
#include <cstddef>

#include "runtime/format.h"

namespace hone::runtime {

// The best first; among equals the one that comes first. Not-a-numbers are not ordered.
void top_k(const TopKOf& topk, const std::byte* elements, std::byte* values, std::byte* places);

}  // namespace hone::runtime
