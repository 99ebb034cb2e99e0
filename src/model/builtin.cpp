#include "model/builtin.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/nearest.h"
#include "model/builtin/networks.h"

namespace hone::model {
namespace {

struct Entry {
  const char* name;
  Model (*make)();
};

constexpr Entry kNetworks[] = {
    {"resnet18", resnet18},
    {"resnet50", resnet50},
    {"resnext50", resnext50},
    {"mobilenet_v2", mobilenet_v2},
    {"vgg16", vgg16},
    {"squeezenet", squeezenet},
    {"densenet121", densenet121},
    {"inception_v3", inception_v3},
    {"r3d_18", r3d_18},
    {"dcgan", dcgan},
    {"bert_base", bert_base},
    {"bert_tiny", bert_tiny},
};

}  // namespace

const std::vector<std::string>& builtin_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Entry& entry : kNetworks) names.emplace_back(entry.name);
    return names;
  }();
  return kNames;
}

Model builtin(std::string_view name) {
  for (const Entry& entry : kNetworks) {
    if (name == entry.name) return entry.make();
  }
  throw UserError(fmt::format("there is no built-in network `{}`", name),
                  did_you_mean(name, builtin_names()));
}

}  // namespace hone::model
