// Small networks over statements with random weights, and programs for them.
#pragma once
#include <algorithm>

#include "tests/unit/score/network_by_hand.h"

namespace hone::score {

inline constexpr int kStatement = 7, kFlags = 3, kInstruction = 2, kPlain = 11, kWidth = 12, kHeads = 3;
using OptionTexts = std::vector<std::pair<std::string, std::string>>;

inline Weights common_weights(int columns, bool has_blocks) {
  Weights weights;
  weights.add("rows.normaliser.shift", {columns}, 0);
  weights.add("rows.normaliser.scale", {columns}, 2);
  weights.chain("encoder", {columns, kWidth, kWidth});
  if (has_blocks) weights.chain("blocks", {kWidth, kWidth, kWidth});
  weights.linear("decoder", kWidth, 1);
  return weights;
}

inline void add_attention(Weights& weights, const std::string& name) {
  weights.linear(name + ".in", kWidth, 3 * kWidth);
  weights.linear(name + ".out", kWidth, kWidth);
}

inline ScorerFile file_of(const std::string& kind, const Weights& weights, OptionTexts options) {
  ScorerFile file;
  file.header.kind = kind;
  file.header.options = std::move(options);
  file.weights = weights.print();
  return file;
}

// Programs of 0, 1, 2, ... statements, some of which are alike.
inline std::vector<Sample> programs(Weights& weights, std::size_t most = 5) {
  std::vector<Sample> samples(most + 1);
  for (std::size_t i = 0; i <= most; ++i) {
    samples[i].views = {random_view(weights, "statements", i, kStatement),
                        random_view(weights, "embedding", 1, kFlags),
                        random_view(weights, "instructions", i, kInstruction)};
    std::vector<float>& values = samples[i].views[0].values;
    if (i > 2) std::copy_n(values.begin(), kStatement, values.begin() + kStatement);
  }
  return samples;
}

struct Variant {
  int layers;
  bool has_norm;
  std::size_t padding;  // 0: with mask
  bool with_instructions;
};

inline Weights atformer_weights(const Variant& variant) {
  Weights weights = common_weights(kPlain + (variant.with_instructions ? kInstruction : 0), true);
  for (int i = 0; i < variant.layers; ++i) {
    add_attention(weights, "layer" + std::to_string(i) + ".attention");
    weights.add("layer" + std::to_string(i) + ".norm.weight", {kWidth}, 2);
    weights.add("layer" + std::to_string(i) + ".norm.bias", {kWidth}, 1);
  }
  return weights;
}

inline ScorerFile atformer_file(const Weights& weights, const Variant& variant) {
  return file_of("atformer", weights,
                 {{"heads", "3"},
                  {"layers", std::to_string(variant.layers)},
                  {"norm", variant.has_norm ? "1" : "0"},
                  {"mask", variant.padding == 0 ? "1" : "0"},
                  {"padding", std::to_string(variant.padding)},
                  {"instructions", variant.with_instructions ? "1" : "0"}});
}

inline Weights lstm_weights() {
  Weights weights = common_weights(kPlain, true);
  weights.add_lstm("lstm", kWidth);
  return weights;
}

}  // namespace hone::score
