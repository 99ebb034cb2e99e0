// hone's own model: small, sure of what it knows, and in doubt about the rest.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

Options hone_options();
std::vector<std::string> hone_views(const Options& options);  // the features that it reads
std::shared_ptr<Model> make_hone_model(const Options& options, const Features& features);

}  // namespace hone::train
