#include "cli/trained_networks.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/gzip.h"
#include "cli/set_samples.h"
#include "cli/train_hone.h"
#include "cli/train_material.h"
#include "score/forest.h"
#include "score/network.h"
#include "train/tree_options.h"

namespace hone::cli {
namespace {

train::Options options_of(const score::ModelHeader& header) {
  for (const char* needed : {"label", "validation", "seed"}) score::option_of(header, needed);
  std::vector<train::Option> said;
  for (const auto& [name, value] : header.options) said.push_back({name, value, "as it was trained"});
  train::Options options(std::move(said));
  const train::Options of_trees = train::tree_options();
  for (const train::Option& option : of_trees.all())
    if (!options.has(option.name)) options = options.and_also({option});
  return options;
}

void require_same_data(const TrainedNetworks& networks, const std::string& path, const Train& options) {
  const std::string hash = score::hexadecimal(networks.material.set.content_hash());
  if (networks.file.header.data_hash != hash)
    throw UserError(fmt::format("{} was trained on other data: {}, and {} is {}", path,
                                networks.file.header.data_hash, options.sets.front(), hash),
                    "give the very set, with the features that it had then");
  if (networks.file.header.tasks != networks.material.keys)
    throw UserError(fmt::format("{} was trained on other tasks than are left {}", path,
                                options.fold.empty() ? "without --fold" : "by --fold " + options.fold),
                    "leave the same fold out for networks and trees");
}

}  // namespace

TrainedNetworks load_networks(const std::string& path, const Train& options) {
  score::ScorerFile file = score::parse_scorer(read_maybe_gzip(path), path);
  if (file.header.kind != "hone")
    throw UserError(
        fmt::format("{} is of kind {}; trees join networks of kind hone", path, file.header.kind),
        "train networks with `hone-train SET --kind hone -o FILE`");
  if (score::has_forest(score::parse_tensors(file.weights)))
    throw UserError(path + " has trees already", "give the networks as hone-train wrote them");
  train::Options said = options_of(file.header);
  train::Material material = load_material(options, said);
  TrainedNetworks networks{std::move(file), std::move(said), std::move(material)};
  require_same_data(networks, path, options);
  score::require_features(networks.file.header,
                          feature_versions(networks.material.set.parts.front().file,
                                           score::feature_names(networks.file.header)),
                          path);
  return networks;
}

}  // namespace hone::cli
