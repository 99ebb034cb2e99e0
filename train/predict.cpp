#include "train/predict.h"

#include "train/loaded.h"

namespace hone::train {

void predict(const std::string& scorer, const std::string& set, const std::string& output,
             bool in_parts, const std::string& device) {
  const Loaded loaded = load(scorer, set, device);
  write_scores(output, ask(*loaded.model, *loaded.features, loaded.programs), in_parts);
}

}  // namespace hone::train
