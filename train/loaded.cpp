#include "train/loaded.h"

#include <numeric>

#include "base/file.h"
#include "score/scorer_file.h"
#include "train/kinds.h"
#include "train/network_file.h"

namespace hone::train {
namespace {

// NumPy's format, version 1: its header fills up a multiple of 64 bytes.
std::string npy(const std::vector<float>& values, const std::string& shape) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + shape + "), }";
  constexpr std::size_t kBefore = 10, kAlignment = 64;
  header.append(kAlignment - (kBefore + header.size() + 1) % kAlignment, ' ');
  header += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  out += static_cast<char>(header.size() & 255);
  out += static_cast<char>(header.size() >> 8);
  out += header;
  return out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
}

}  // namespace

Loaded load(const std::string& scorer, const std::string& set_path, const std::string& device) {
  const score::ScorerFile file = read_scorer(scorer);
  const Kind& kind = kind_named(file.header.kind);
  Options options = kind.defaults();
  // Scorers that were made before inputs had limits have none.
  if (options.has("reach")) options.set("reach", "0");
  for (const auto& [name, value] : file.header.options) options.set(name, value);
  Loaded loaded{load_data_set(set_path, "min"), nullptr, nullptr, {}};
  loaded.features = std::make_unique<Features>(loaded.set, kind.views(options), torch::Device(device));
  score::require_features(file.header, loaded.features->versions(), scorer);
  loaded.model = kind.make(options, *loaded.features);
  load_weights(*loaded.model, file.weights);
  loaded.model->to(loaded.features->device());
  loaded.programs.resize(loaded.set.n_programs());
  std::iota(loaded.programs.begin(), loaded.programs.end(), Program{0});
  return loaded;
}

void write_scores(const std::string& path, const Said& said, bool in_parts) {
  std::vector<float> values;
  for (std::size_t i = 0; i < said.score.size(); ++i) {
    values.push_back(static_cast<float>(said.score[i]));
    if (!in_parts) continue;
    values.push_back(static_cast<float>(said.spread[i]));
    values.push_back(static_cast<float>(said.valid[i]));
  }
  write_whole(path, npy(values, std::to_string(said.score.size()) + (in_parts ? ", 3" : ",")));
}

}  // namespace hone::train
