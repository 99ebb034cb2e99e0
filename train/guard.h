// Sources that do harm: what a machine teaches may be wrong for the target.
#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "train/material.h"
#include "train/torch.h"

namespace hone::train {

// What short trainings showed of a source: how much better pairs of the target's programs are ordered
// without it, of tasks that were not learned from; the mean over tasks and its standard error.
struct Harm {
  std::string source;
  double gain_without = 0, error = 0;

  bool is_certain() const { return gain_without > error; }
};

// Every source is left out once, in three folds of the target's tasks. `kind` and `options` are those
// of the training that is to follow; `guard` says for how many epochs. Nothing when it was stopped, or
// when the target has fewer than three tasks with labels.
std::vector<Harm> judge_sources(const std::string& kind, const Options& options, Fold fold,
                                const Material& material, torch::Device device,
                                const std::atomic<bool>& stop);

// Nothing is learned from these sources; they stand last among the platforms.
void drop_sources(Material& material, const std::vector<std::string>& names);

}  // namespace hone::train
