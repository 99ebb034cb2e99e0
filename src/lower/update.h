// Stores that combine a value with the element they write: the steps of reductions.
#pragma once
#include "ir/program.h"

namespace hone::lower {

// Whether the store's value reads the buffer it writes.
bool is_update(const ir::Store& store);
// Whether there is such a store in the statement at `at`.
bool has_update(const ir::Program& program, std::int32_t at);
// The combination `element op value`, when the store is exactly that; its `a` is the old element.
const ir::Binary* update_of(const ir::Store& store);
// True for sums that add zero (a padding tap, a zero of a constant matrix) and for max(x, lowest) or
// min(x, highest). A product with a literal zero counts as zero whatever the other factor is.
bool changes_nothing(const ir::Store& store);
bool is_zero(const ir::Expr& e);  // a literal zero, or a product with one

}  // namespace hone::lower
