// ATFormer (Bai et al., EMNLP 2023): attention between the statements of a program, each of which knows
// what its task is. The network is a reconstruction: docs/systems/atformer.md says of what.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

Options atformer_options();
std::vector<std::string> atformer_views(const Options& options);
std::shared_ptr<Model> make_atformer(const Options& options, const Features& features);

}  // namespace hone::train
