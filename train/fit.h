// A model and the steps that train it; epochs, checkpoints and files are the business of whoever calls.
#pragma once
#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "train/batches.h"
#include "train/material.h"
#include "train/training.h"

namespace hone::train {

class Fit {
 public:
  // A model of that kind with its first weights. What is given must outlive it.
  Fit(const std::string& kind, const Options& options, const Material& material,
      const Features& features);

  Training training;

  // The next epoch of `n_epochs` in all; gives the mean loss of its steps, or nothing when it was
  // stopped. UserError when the loss is no number any more: then the weights are none, either.
  std::optional<double> epoch(std::size_t n_epochs, const std::atomic<bool>& stop);
  double validation_loss();

 private:
  std::vector<ListBatch> batches(const TaskIds& tasks, std::size_t number) const;
  torch::Tensor loss(const ListBatch& lists);
  torch::Tensor step(const ListBatch& lists, double progress);  // its loss

  const Options& options_;
  const Material& material_;
  const Features& features_;
  const bool has_cosine_;
  std::vector<Program> same_;  // of a model to which copies of a program are one
};

// Whether a GPU may round factors to ten bits.
void allow_short_products(bool are_allowed);

// The programs of these tasks whose speed is known.
std::vector<Program> programs_of(const DataSet& set, const TaskIds& tasks);

}  // namespace hone::train
