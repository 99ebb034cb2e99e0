#include "train/fit.h"

#include <cmath>
#include <numbers>

#include "base/error.h"
#include "train/kinds.h"
#include "train/same_programs.h"

namespace hone::train {

using torch::Tensor;

Fit::Fit(const std::string& kind, const Options& options, const Material& material,
         const Features& features)
    : options_(options),
      material_(material),
      features_(features),
      has_cosine_(options.word("schedule", {"constant", "cosine"}) == "cosine") {
  if (options.whole("batch") == 0 || options.whole("batch") < options.whole("list"))
    throw UserError("a batch of " + options.text("batch") + " programs holds no list",
                    "set batch to at least as many programs as list");
  torch::manual_seed(static_cast<std::uint64_t>(options.whole("seed")));
  training.model = kind_named(kind).make(options, features);
  training.model->to(features.device());
  training.model->learn_inputs(features, programs_of(material.set, material.split.training));
  if (training.model->joins_programs()) same_ = first_of_same(material.set);
  training.optimizer = std::make_unique<torch::optim::Adam>(
      training.model->parameters(), torch::optim::AdamOptions(options.number("learning_rate"))
                                        .weight_decay(options.number("weight_decay")));
}

std::vector<ListBatch> Fit::batches(const TaskIds& tasks, std::size_t number) const {
  return batches_of_epoch(material_.set, tasks, options_.whole("batch"), options_.whole("list"),
                          options_.whole("seed"), number, same_);
}

Tensor Fit::loss(const ListBatch& lists) {
  const Lesson lesson = lesson_of(material_.set, lists, same_, features_.device());
  return training.model->loss(features_.batch(lesson.programs), lesson.labels);
}

std::optional<double> Fit::epoch(std::size_t n_epochs, const std::atomic<bool>& stop) {
  training.model->train();
  const std::size_t done = training.curves.epochs();
  const std::vector<ListBatch> all = batches(material_.split.training, done + 1);
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (stop) return {};
    const double progress = static_cast<double>(done) + static_cast<double>(i) / all.size();
    sum += step(all[i], progress / static_cast<double>(n_epochs));
  }
  return sum / static_cast<double>(all.size());
}

double Fit::step(const ListBatch& lists, double progress) {
  const double rate = options_.number("learning_rate");
  for (auto& group : training.optimizer->param_groups())
    static_cast<torch::optim::AdamOptions&>(group.options())
        .lr(has_cosine_ ? rate * (1 + std::cos(std::numbers::pi * progress)) / 2 : rate);
  training.optimizer->zero_grad();
  const Tensor lost = loss(lists);
  const double value = lost.item<double>();
  if (!std::isfinite(value))
    throw UserError(
        "the loss is no number any more in epoch " + std::to_string(training.curves.epochs() + 1),
        "set a smaller learning_rate or clip; --resume goes on from the epoch before");
  lost.backward();
  const double clip = options_.number("clip");
  if (clip > 0) torch::nn::utils::clip_grad_norm_(training.model->parameters(), clip);
  training.optimizer->step();
  return value;
}

double Fit::validation_loss() {
  const torch::NoGradGuard no_gradient;
  training.model->eval();
  double sum = 0;
  const std::vector<ListBatch> all = batches(material_.split.validation, 0);
  for (const ListBatch& lists : all) sum += loss(lists).item<double>();
  return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

std::vector<Program> programs_of(const DataSet& set, const TaskIds& tasks) {
  std::vector<Program> programs;
  for (const std::uint32_t task : tasks)
    programs.insert(programs.end(), set.tasks[task].programs.begin(), set.tasks[task].programs.end());
  return programs;
}

}  // namespace hone::train
