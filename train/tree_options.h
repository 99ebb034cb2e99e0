// What can be set of hone's model when trees join its networks. `hone` grows the trees, because
// hone-train is built where there is no XGBoost.
#pragma once
#include "train/options.h"

namespace hone::train {

Options tree_options();

}  // namespace hone::train
