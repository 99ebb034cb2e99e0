#include "train/hone_loss.h"

#include <algorithm>

#include "train/views.h"

namespace hone::train {

using torch::Tensor;

HoneLoss::HoneLoss(const Options& options)
    : rank_loss_(loss_named(options.text("loss"))),
      rank_weight_(options.number("rank_weight")),
      latency_weight_(options.number("latency_weight")),
      valid_weight_(options.number("valid_weight")),
      delta_(options.number("delta")),
      target_share_(options.number("target_share")) {}

void HoneLoss::count_target(double of_target, double all) {
  target_weight_ = source_weight_ = 1;
  if (of_target == 0 || of_target >= target_share_ * all) return;
  target_weight_ = target_share_ * all / of_target;
  source_weight_ = (1 - target_share_) * all / (all - of_target);
}

Tensor HoneLoss::operator()(const Tensor& said, const Labels& labels) const {
  if (target_weight_ == source_weight_) return of_lists(said, labels, {});
  std::vector<std::int64_t> target, source;
  for (std::size_t i = 0; i < labels.platform.size(); ++i)
    (labels.platform[i] == 0 ? target : source).push_back(static_cast<std::int64_t>(i));
  Tensor sum = torch::zeros({}, said.options());
  const auto n_lists = static_cast<double>(labels.platform.size());
  const auto add = [&](const std::vector<std::int64_t>& lists, double weight) {
    if (lists.empty()) return;
    const double share = static_cast<double>(lists.size()) / n_lists;
    sum = sum + weight * share * of_lists(said, labels, numbers_on(said.device(), lists));
  };
  add(target, target_weight_);
  add(source, source_weight_);
  return sum;
}

// Of these lists; undefined: of all.
Tensor HoneLoss::of_lists(const Tensor& said, const Labels& labels, const Tensor& lists) const {
  const auto chosen = [&](const Tensor& of_all) {
    return lists.defined() ? of_all.index_select(0, lists) : of_all;
  };
  const Tensor speed = chosen(labels.speed), works = chosen(labels.works),
               present = chosen(labels.present);
  const Tensor measured = present.logical_and(works);
  const Tensor slowness = -torch::log(speed.clamp_min(1e-10));
  const auto n_lists = static_cast<double>(speed.size(0));
  Tensor sum = torch::zeros({}, said.options());
  for (const Tensor& member : said.unbind(0)) {
    const Tensor log_latency = chosen(labels.spread(member.select(1, 0)));
    sum = sum + rank_weight_ / n_lists * rank_loss_(-log_latency, speed, measured);
    sum = sum + latency_weight_ * robust_error(log_latency, slowness, measured, delta_);
    const Tensor valid = torch::binary_cross_entropy_with_logits(
        chosen(labels.spread(member.select(1, 1))), works.to(said.dtype()), /*weight=*/{},
        /*pos_weight=*/{}, at::Reduction::None);
    sum = sum + valid_weight_ * (valid * present).sum() / present.sum();
  }
  return sum / static_cast<double>(said.size(0));
}

}  // namespace hone::train
