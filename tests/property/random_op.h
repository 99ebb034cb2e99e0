// Random small calls of the catalogue's operators: odd shapes, every type, every layout, tails.
#pragma once
#include <cstdint>
#include <string>

namespace hone::property {

// As `--op` takes it. The operator, and after a round of all operators the type, follow from the seed,
// so that consecutive seeds meet all of them; the rest is drawn.
std::string random_op(std::uint64_t seed);

}  // namespace hone::property
