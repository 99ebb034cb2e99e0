// What the command line of `hone train` says of what is learned from, for the models that hone trains
// itself.
#pragma once
#include "cli/options.h"
#include "train/material.h"

namespace hone::cli {

// `settings` are those of the kind. UserError when the set or the words do not allow it.
train::Material load_material(const Train& options, const train::Options& settings);

}  // namespace hone::cli
