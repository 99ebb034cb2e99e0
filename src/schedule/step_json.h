// Steps as the JSON arrays of the record format.
#pragma once
#include <string>
#include <string_view>

#include "schedule/step.h"

namespace hone::schedule {

// `[["SP", 2, 0, 512, [4, 2, 8], 1], ...]`, spaced as TVM writes it.
std::string to_json(const Steps& steps);
// Throws UserError that names the step's position and what is wrong with it.
Steps steps_from_json(std::string_view json);

}  // namespace hone::schedule
