// TLP (Zhai et al., ASPLOS 2023): a schedule as a sequence of primitives.
#pragma once
#include <memory>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

Options tlp_options();
std::shared_ptr<Model> make_tlp(const Options& options, const Features& features);

}  // namespace hone::train
