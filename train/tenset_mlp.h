// TenSet's network (Zheng et al., NeurIPS 2021): statements are encoded one by one and summed.
#pragma once
#include <memory>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

Options tenset_mlp_options();
std::shared_ptr<Model> make_tenset_mlp(const Options& options, const Features& features);

}  // namespace hone::train
