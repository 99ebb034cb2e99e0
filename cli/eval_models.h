// Cost models as sources of scores: from the steps and DAGs of a data set to what each of them reads.
#pragma once
#include <memory>
#include <string>

#include "cli/eval_scores.h"

namespace hone::cli {

// The one that has learned nothing.
std::unique_ptr<ScoreSource> analytic_source();

// What a file holds that `hone train` wrote, trees or a network, or an ONNX model: made for the
// features that this hone makes. Throws UserError otherwise.
struct TrainedSource {
  std::vector<std::string> tasks;  // workload keys that it was trained on; none where nobody says it
  std::unique_ptr<ScoreSource> source;
};
TrainedSource trained_source(const std::string& file);

}  // namespace hone::cli
