// Well-known networks that need no download: the published layers, with weights that are drawn.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"

namespace hone::model {

const std::vector<std::string>& builtin_names();

// UserError with the nearest name when there is no such network.
Model builtin(std::string_view name);

}  // namespace hone::model
