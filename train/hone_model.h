// hone's own model: small, sure of what it knows, and in doubt about the rest.
#pragma once
#include <memory>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

Options hone_options();
std::shared_ptr<Model> make_hone_model(const Options& options, const Features& features);

}  // namespace hone::train
