#include "score/model_file.h"

#include <bit>

#include "base/file.h"
#include "base/gzip.h"
#include "base/random.h"

namespace hone::score {

std::string data_hash(std::span<const Sample> samples, std::span<const double> labels) {
  std::uint64_t hash = 0;
  const auto add = [&](std::uint64_t word) { hash = mix_bits(hash ^ word); };
  for (const Sample& sample : samples) {
    add(sample.n_rows());
    for (const float value : sample.values) add(std::bit_cast<std::uint32_t>(value));
  }
  for (const double label : labels) add(std::bit_cast<std::uint64_t>(label));
  return hexadecimal(hash);
}

void save_model(const std::string& path, ModelHeader header, const Model& model) {
  header.kind = model.kind();
  write_whole(path, print_scorer({std::move(header), model.weights()}));
}

LoadedModel load_model(const std::string& path, const std::string& features,
                       const ModelOptions& options) {
  ScorerFile file = parse_scorer(read_maybe_gzip(path), path);
  require_features(file.header, features, path);
  LoadedModel loaded{std::move(file.header), nullptr};
  loaded.model = make_model(loaded.header.kind, options);
  loaded.model->set_weights(file.weights);
  return loaded;
}

}  // namespace hone::score
