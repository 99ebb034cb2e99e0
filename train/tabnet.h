// TabNet (Arik and Pfister, AAAI 2021) as TenSet's encoder of statements, which are then summed.
#pragma once
#include <memory>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

Options tabnet_options();
std::shared_ptr<Model> make_tabnet(const Options& options, const Features& features);

}  // namespace hone::train
