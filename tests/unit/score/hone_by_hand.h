// A small network of hone's own kind with random weights, and programs for it.
#pragma once
#include "score/forest.h"
#include "tests/unit/score/network_by_hand.h"

namespace hone::score {

inline constexpr int kWidth = 16;
inline constexpr int kMembers = 3, kFused = 12;
inline const std::map<std::string, int> kHoneColumns = {
    {"statements", 7}, {"primitives", 5}, {"context", 4}, {"summary", 6}};

inline constexpr int kMachineColumns = 3, kMachineWidth = 8;

inline Weights hone_weights(bool knows_machines = false) {
  Weights weights;
  for (const auto& [view, columns] : kHoneColumns) {
    weights.add(view + "_normaliser.shift", {columns}, 1);
    weights.add(view + "_normaliser.scale", {columns}, 2);
  }
  for (int i = 0; i < kMembers; ++i) {
    const std::string member = "member" + std::to_string(i) + ".";
    weights.chain(member + "statements.encoder", {7, kWidth, kWidth});
    weights.chain(member + "primitives.encoder", {5, kWidth, kWidth});
    weights.chain(member + "fuse", {4 + 6 + 4 * kWidth, kFused});
    weights.chain(member + "blocks", {kFused, kFused});
    weights.linear(member + "heads", kFused, 2);
    if (knows_machines) weights.chain(member + "machine", {kMachineColumns, kMachineWidth, 2 * kFused});
  }
  if (knows_machines) {
    weights.add("machine_normaliser.shift", {kMachineColumns}, 1);
    weights.add("machine_normaliser.scale", {kMachineColumns}, 4);
  }
  return weights;
}

inline ScorerFile hone_file(const std::string& weights) {
  ScorerFile file;
  file.header.kind = "hone";
  file.header.options = {{"members", "3"}, {"heads", "0"}, {"caution", "0.5"}, {"tree_share", "0.4"}};
  file.weights = weights;
  return file;
}

inline std::vector<Sample> hone_samples(Weights& weights, bool knows_machines = false) {
  std::vector<Sample> samples(6);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].views = {random_view(weights, "statements", 1 + i % 3, 7),
                        random_view(weights, "primitives", 2 + i, 5),
                        random_view(weights, "context", 1, 4), random_view(weights, "summary", 1, 6)};
  if (knows_machines)
    for (Sample& sample : samples)
      sample.views.push_back(random_view(weights, "machine", 1, kMachineColumns));
  return samples;
}

inline std::string with_trees(const Weights& weights, const Forest& forest) {
  std::vector<NamedTensor> tensors = parse_tensors(weights.print());
  for (NamedTensor& tensor : print_forest(forest)) tensors.push_back(std::move(tensor));
  return print_tensors(tensors);
}

}  // namespace hone::score
