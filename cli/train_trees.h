// `hone train --kind xgboost|lightgbm`: TenSet's trees, which hone grows itself.
#pragma once
#include <string>
#include <vector>

#include "cli/options.h"

namespace hone::cli {

bool is_tree_kind(const std::string& kind);
const std::vector<std::string>& tree_kinds();
std::string tree_options_text();  // what --set takes, a line each
int train_trees(const Train& options);

}  // namespace hone::cli
