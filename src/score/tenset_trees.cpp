#include "score/tenset_trees.h"

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "score/metrics.h"
#include "score/packs.h"

namespace hone::score {
namespace {

Packs pack_all(std::span<const Sample> samples) {
  std::size_t n_columns = 0;
  for (const Sample& sample : samples)
    if (sample.n_rows() > 0) n_columns = sample.row(0).size();
  std::vector<int> columns(n_columns);
  std::iota(columns.begin(), columns.end(), 0);
  return pack(samples, columns);
}

}  // namespace

TenSetTrees::TenSetTrees(std::string kind, const TenSetTreesOptions& options)
    : kind_(std::move(kind)), options_(options) {
  check(kind_ == "xgboost" || kind_ == "lightgbm", "TenSet has two kinds of trees");
  if (options_.rounds == 0) options_.rounds = kind_ == "xgboost" ? 300 : 2000;
}

void TenSetTrees::train(std::span<const Sample> samples, std::span<const double> labels) {
  check(samples.size() == labels.size(), "every sample has a label");
  trees_.reset();
  const Packs packs = pack_all(samples);
  if (packs.table.n_rows() == 0) return;
  trees_ = (kind_ == "xgboost" ? make_xgboost : make_lightgbm)(packs.table, options_.threads);
  std::vector<float> gradient(packs.first.back());
  std::vector<float> curvature(packs.first.back(), 1);
  double lowest = INFINITY;
  int best_round = 0;
  for (int round = 0; round < options_.rounds && round - best_round < options_.patience; ++round) {
    const std::vector<double> now = sums(packs, trees_->training_values());
    if (const double error = rmse(now, labels); error < lowest) {
      lowest = error;
      best_round = round;
    }
    for (std::size_t i = 0; i < packs.size(); ++i)
      std::fill(gradient.begin() + static_cast<std::ptrdiff_t>(packs.first[i]),
                gradient.begin() + static_cast<std::ptrdiff_t>(packs.first[i + 1]),
                static_cast<float>(now[i] - labels[i]));
    trees_->boost(gradient, curvature);
  }
}

std::vector<Prediction> TenSetTrees::predict(std::span<const Sample> samples) const {
  std::vector<Prediction> out(samples.size());
  const Packs packs = pack_all(samples);
  const std::vector<float> values =
      trees_ == nullptr ? std::vector<float>(packs.first.back()) : trees_->values(packs.table);
  const std::vector<double> scores = sums(packs, values);
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i].score = scores[i];
    out[i].valid = samples[i].n_rows() == 0 ? 0 : 1;
    out[i].parts.assign(values.begin() + static_cast<std::ptrdiff_t>(packs.first[i]),
                        values.begin() + static_cast<std::ptrdiff_t>(packs.first[i + 1]));
  }
  return out;
}

std::string TenSetTrees::weights() const { return trees_ == nullptr ? "" : trees_->bytes(); }

void TenSetTrees::set_weights(const std::string& bytes) {
  trees_ = bytes.empty() ? nullptr : (kind_ == "xgboost" ? load_xgboost : load_lightgbm)(bytes);
}

}  // namespace hone::score
