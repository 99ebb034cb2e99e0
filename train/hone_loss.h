// What the training of hone's model lowers.
#pragma once
#include "train/labels.h"
#include "train/losses.h"
#include "train/options.h"

namespace hone::train {

// Of each list, the ranking of its programs, a robust error of the log of latency / best, and whether
// programs work; failed ones say only the last. Where there is a target, its lists count at least
// `target_share` of all, however few they are.
class HoneLoss {
 public:
  explicit HoneLoss(const Options& options);

  // How many lists an epoch has of the target, which is platform 0, and how many in all.
  void count_target(double of_target, double all);

  // `said` is [members, n, 2], as the members say it.
  torch::Tensor operator()(const torch::Tensor& said, const Labels& labels) const;

 private:
  torch::Tensor of_lists(const torch::Tensor& said, const Labels& labels,
                         const torch::Tensor& lists) const;

  ListLoss rank_loss_;
  double rank_weight_, latency_weight_, valid_weight_, delta_, target_share_;
  double target_weight_ = 1, source_weight_ = 1;
};

}  // namespace hone::train
