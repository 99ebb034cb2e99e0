// MTL-TLP (Zhai et al., ASPLOS 2023): TLP for several machines at once, which share all but the
// decoder.
#pragma once
#include <memory>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

Options mtl_tlp_options();
std::shared_ptr<Model> make_mtl_tlp(const Options& options, const Features& features);

}  // namespace hone::train
