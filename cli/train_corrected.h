// `hone train --kind corrected`: trees that learn where the analytic estimate is wrong.
#pragma once
#include <string>

#include "cli/options.h"

namespace hone::cli {

inline constexpr const char* kCorrectedKind = "corrected";
std::string corrected_options_text();  // what --set takes, a line each
int train_corrected(const Train& options);

}  // namespace hone::cli
