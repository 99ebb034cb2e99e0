// TVM's printed loop nests, read as far as needed to compare them with ours.
#pragma once
#include <string>

#include "tests/nest_events.h"

namespace hone {

std::vector<NestEvent> events_of_tvm_nest(const std::string& text);

}  // namespace hone
