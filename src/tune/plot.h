// A run as a picture: speed of all trials and of the best so far, over trials and over time.
#pragma once
#include <string>

#include "tune/summary.h"

namespace hone::tune {

std::string plot(const Summary& summary);  // SVG

}  // namespace hone::tune
