// The kinds of model by name, each with the settings it was published with.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "train/options.h"

namespace hone::train {

class Model;
class Features;

struct Kind {
  std::string name;
  std::string summary;
  std::vector<std::string> (*views)(const Options& options);  // the features it reads
  Options (*defaults)();
  std::shared_ptr<Model> (*make)(const Options& options, const Features& features);
};

const std::vector<Kind>& kinds();
// UserError, with a hint, for a name that is none.
const Kind& kind_named(const std::string& name);

// What all kinds have in common, as published for TLP and TenSet's networks.
Options published_recipe();

}  // namespace hone::train
