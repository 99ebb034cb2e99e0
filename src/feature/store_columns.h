// The columns of one statement in a program's summary.
#pragma once
#include "feature/columns.h"
#include "feature/store_facts.h"
#include "space/hardware.h"

namespace hone::feature {

// A first, a second and a last cache as most cores have them: records do not say.
inline constexpr std::array<std::int64_t, 3> kCacheBytes = {32'768, 1'048'576, 33'554'432};

void write_store(Columns& to, const LoopTree& tree, const StoreFacts& facts,
                 const space::Hardware& hardware);

// Work that is done one after the other: without what cores, lanes and threads do side by side.
double critical(const StoreFacts& facts, const space::Hardware& hardware);
double log_ratio(double a, double b);  // log2(a / b), within bounds

}  // namespace hone::feature
