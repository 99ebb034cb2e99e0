// A scorer of which all weights are trained on with what is measured, by hone-train.
#pragma once
#include <memory>
#include <string>

#include "base/temporary_folder.h"
#include "score/network.h"
#include "score/scorer_file.h"
#include "target/target.h"

namespace hone::tune {

// Training begins anew from the file with all trials of the task: a few passes over them. The price is
// a process, and a network that is compiled again, a round.
class FineTuned final : public score::Model {
 public:
  // `program` is hone-train; its threads and those of the kernels are the target's cores. UserError
  // when the file is not one that hone-train can go on from.
  FineTuned(const std::string& scorer, std::string program, const target::Target& target,
            std::shared_ptr<const score::Network> known);

  const char* kind() const override { return "fine-tuned"; }
  void train(std::span<const score::Sample> samples, std::span<const double> labels) override;
  std::vector<score::Prediction> predict(std::span<const score::Sample> samples) const override {
    return network_->predict(samples);
  }
  std::string weights() const override { return {}; }
  void set_weights(const std::string& /*unused*/) override {}

 private:
  std::vector<std::string> arguments(const std::string& set, const std::string& output) const;

  const std::string scorer_, program_;
  const target::Target target_;
  score::ModelHeader header_;
  std::shared_ptr<const score::Network> network_;
  TemporaryFolder folder_;
};

}  // namespace hone::tune
