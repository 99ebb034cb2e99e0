// Linear forms over loop variables, and conditions seen from them.
#pragma once
#include <cstdint>
#include <optional>

#include "ir/simplify.h"

namespace hone::lower {

// Divides by the common divisor, the first coefficient becoming positive; returns the divisor.
std::int64_t make_primitive(ir::Linear& form);

// A sum seen from a form: scale*form + rest.
struct Seen {
  std::int64_t scale;
  ir::Linear rest;
};
// Empty when the form is no part of the sum.
std::optional<Seen> see(const ir::Linear& whole, const ir::Linear& part);

}  // namespace hone::lower
