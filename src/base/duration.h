// Spans of time as people write them.
#pragma once
#include <string>
#include <string_view>

namespace hone {

// "90s", "20m", "1h30m", "500ms", "1.5h": seconds. A number without a unit is refused, because nobody
// agrees on what it would mean. UserError when it cannot be read.
double parse_duration(std::string_view text);

std::string print_clock(double seconds);  // "0:07", "12:40", "1:02:03"
std::string print_time(double seconds);   // "12.50 us", "1.234 ms"

}  // namespace hone
