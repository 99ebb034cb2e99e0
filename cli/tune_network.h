// `hone tune MODEL`: the tasks of models are tuned together, and an artefact comes out of each.
#pragma once
#include "cli/options.h"

namespace hone::cli {

int tune_network(const Tune& options);

}  // namespace hone::cli
