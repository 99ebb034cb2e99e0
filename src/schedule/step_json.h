// Steps as the JSON arrays of the record format.
#pragma once
#include <string>
#include <string_view>

#include "base/json.h"
#include "schedule/step.h"

namespace hone::schedule {

// No loop is longer: 10^9 single-precision elements would already be a buffer of 4 GB.
constexpr std::int64_t kMaxExtent = 999'999'999;

// `[["SP", 2, 0, 512, [4, 2, 8], 1], ...]`, spaced as TVM writes it.
std::string to_json(const Steps& steps);
// Throws UserError that names the step's position and what is wrong with it. What a step means for
// a task is not looked at here, but ids are not negative, extents and the product of a split's lengths
// are at most kMaxExtent, and lists are short.
Steps steps_from_json(std::string_view json);

// The same inside a larger text.
void append_json(std::string& out, const Steps& steps);
Steps read_steps(JsonCursor& json);

}  // namespace hone::schedule
