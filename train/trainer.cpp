#include "train/trainer.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <thread>

#include "base/error.h"
#include "train/evaluate.h"
#include "train/kinds.h"
#include "train/network_file.h"
#include "train/training.h"

namespace hone::train {
namespace {

using torch::Tensor;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What makes one training different from another.
std::string purpose_of(const Job& job, const Material& material) {
  std::string text =
      job.kind + " on " + std::to_string(material.hash()) + " for " + job.target.platform;
  for (const Option& option : job.options.all()) text += " " + option.name + "=" + option.value;
  return text;
}

std::vector<Program> programs_of(const DataSet& set, const TaskIds& tasks) {
  std::vector<Program> programs;
  for (const std::uint32_t task : tasks)
    programs.insert(programs.end(), set.tasks[task].programs.begin(), set.tasks[task].programs.end());
  return programs;
}

class Trainer {
 public:
  Trainer(const Job& job, const Listener& listener, const std::atomic<bool>& stop)
      : job_(job),
        listener_(listener),
        stop_(stop),
        select_(job.options.word("select", {"loss", "top", "last"})),
        has_cosine_(job.options.word("schedule", {"constant", "cosine"}) == "cosine"),
        material_(load_material(job.sets, job.options, job.left_out, job.target)),
        set_(material_.set),
        split_(material_.split),
        device_(job.device),
        features_(set_, kind_named(job.kind).views(job.options), device_) {}

  Outcome run();

 private:
  void begin();
  bool epoch();  // false when it was stopped
  double step(const ListBatch& lists, double progress);
  double validation_loss();
  bool is_better() const;
  void checkpoint();
  std::string platforms_text() const;  // "host 500 (target), e5-2673 31998"
  void tell_start() const;
  void tell_epoch(double seconds_left) const;
  std::vector<ListBatch> batches(const TaskIds& tasks, std::size_t number) const {
    return batches_of_epoch(set_, tasks, job_.options.whole("batch"), job_.options.whole("list"),
                            job_.options.whole("seed"), number);
  }
  std::string checkpoint_path() const { return job_.output + ".checkpoint"; }
  std::size_t n_epochs() const { return static_cast<std::size_t>(job_.options.whole("epochs")); }

  const Job& job_;
  const Listener& listener_;
  const std::atomic<bool>& stop_;
  const std::string select_;
  const bool has_cosine_;
  const Material material_;
  const DataSet& set_;
  const Split& split_;
  torch::Device device_;
  Features features_;
  Training training_;
};

void Trainer::begin() {
  if (job_.options.whole("batch") == 0 || job_.options.whole("batch") < job_.options.whole("list"))
    throw UserError("a batch of " + job_.options.text("batch") + " programs holds no list",
                    "set batch to at least as many programs as list");
  torch::manual_seed(static_cast<std::uint64_t>(job_.options.whole("seed")));
  training_.model = kind_named(job_.kind).make(job_.options, features_);
  training_.model->to(device_);
  training_.model->learn_inputs(features_, programs_of(set_, split_.training));
  training_.optimizer = std::make_unique<torch::optim::Adam>(
      training_.model->parameters(), torch::optim::AdamOptions(job_.options.number("learning_rate"))
                                         .weight_decay(job_.options.number("weight_decay")));
  const bool is_there = std::filesystem::exists(checkpoint_path());
  if (is_there && !job_.resume && !job_.fresh)
    throw UserError(checkpoint_path() + " is left of an earlier training",
                    "go on from it with --resume, or begin anew with --fresh");
  if (is_there && job_.resume)
    load_checkpoint(checkpoint_path(), training_, purpose_of(job_, material_));
  else  // finds out now, not after the first epoch, whether the disk takes it
    save_checkpoint(checkpoint_path(), training_, purpose_of(job_, material_));
}

Outcome Trainer::run() {
  begin();
  tell_start();
  const Clock::time_point start = Clock::now();
  const std::size_t first = training_.curves.epochs(), patience = job_.options.whole("patience");
  while (training_.curves.epochs() < n_epochs()) {
    if (!epoch()) return Outcome::Stopped;
    const std::size_t done = training_.curves.epochs();
    checkpoint();
    tell_epoch(seconds_since(start) / static_cast<double>(done - first) *
               static_cast<double>(n_epochs() - done));
    if (patience > 0 && done - training_.kept_epoch >= patience) break;
  }
  training_.restore_weights();
  save_network(job_, material_, features_, training_);
  std::error_code ignored;
  std::filesystem::remove(checkpoint_path(), ignored);
  listener_(Event("done")
                .add("file", job_.output)
                .add("kept_epoch", static_cast<std::int64_t>(training_.kept_epoch))
                .add("seconds", seconds_since(start)));
  return Outcome::Done;
}

bool Trainer::epoch() {
  training_.model->train();
  const std::vector<ListBatch> all = batches(split_.training, training_.curves.epochs() + 1);
  double sum = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (stop_) return false;
    const double progress =
        static_cast<double>(training_.curves.epochs()) + static_cast<double>(i) / all.size();
    sum += step(all[i], progress / static_cast<double>(n_epochs()));
  }
  const Quality quality = judge(*training_.model, features_, set_, material_.judged());
  training_.curves.loss.push_back(sum / static_cast<double>(all.size()));
  training_.curves.validation_loss.push_back(validation_loss());
  training_.curves.top1.push_back(quality.top1);
  training_.curves.top5.push_back(quality.top5);
  if (is_better()) training_.keep_weights();
  return true;
}

double Trainer::step(const ListBatch& lists, double progress) {
  const double rate = job_.options.number("learning_rate");
  for (auto& group : training_.optimizer->param_groups())
    static_cast<torch::optim::AdamOptions&>(group.options())
        .lr(has_cosine_ ? rate * (1 + std::cos(std::numbers::pi * progress)) / 2 : rate);
  training_.optimizer->zero_grad();
  const Tensor loss =
      training_.model->loss(features_.batch(programs_in(lists)), labels_of(set_, lists, device_));
  const double value = loss.item<double>();
  if (!std::isfinite(value))
    throw UserError(
        "the loss is no number any more in epoch " + std::to_string(training_.curves.epochs() + 1),
        "set a smaller learning_rate or clip; --resume goes on from the epoch before");
  loss.backward();
  const double clip = job_.options.number("clip");
  if (clip > 0) torch::nn::utils::clip_grad_norm_(training_.model->parameters(), clip);
  training_.optimizer->step();
  return value;
}

double Trainer::validation_loss() {
  const torch::NoGradGuard no_gradient;
  training_.model->eval();
  double sum = 0;
  const std::vector<ListBatch> all = batches(split_.validation, 0);
  for (const ListBatch& lists : all)
    sum += training_.model->loss(features_.batch(programs_in(lists)), labels_of(set_, lists, device_))
               .item<double>();
  return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

bool Trainer::is_better() const {
  const Curves& curves = training_.curves;
  const auto value = [&](std::size_t epoch) {  // lower is better
    if (select_ == "top") return -curves.top1[epoch] - curves.top5[epoch];
    return curves.validation_loss[epoch];
  };
  if (select_ == "last" || split_.validation.empty() || training_.kept_epoch == 0) return true;
  return value(curves.epochs() - 1) < value(training_.kept_epoch - 1);
}

// A disk that is full now may have space after the next epoch: training goes on without.
void Trainer::checkpoint() {
  try {
    save_checkpoint(checkpoint_path(), training_, purpose_of(job_, material_));
  } catch (const UserError& error) {
    listener_(Event("warning").add("text", error.what()));
  }
}

std::string Trainer::platforms_text() const {
  std::string text;
  for (const Platform& platform : set_.platforms)
    text += (text.empty() ? "" : ", ") + platform.name + " " + std::to_string(platform.labels) +
            (platform.is_target ? " (target)" : "");
  return text;
}

void Trainer::tell_start() const {
  std::int64_t parameters = 0;
  for (const Tensor& parameter : training_.model->parameters()) parameters += parameter.numel();
  const auto count = [](std::size_t n) { return static_cast<std::int64_t>(n); };
  listener_(Event("start")
                .add("kind", job_.kind)
                .add("device", job_.device)
                .add("parameters", parameters)
                .add("features", features_.versions())
                .add("training_tasks", count(split_.training.size()))
                .add("validation_tasks", count(split_.validation.size()))
                .add("programs", count(programs_of(set_, split_.training).size()))
                .add("platforms", platforms_text())
                .add("epochs", count(n_epochs()))
                .add("epochs_done", count(training_.curves.epochs())));
  for (const std::string& warning : material_.warnings)
    listener_(Event("warning").add("text", warning));
}

void Trainer::tell_epoch(double seconds_left) const {
  const Curves& curves = training_.curves;
  listener_(Event("epoch")
                .add("epoch", static_cast<std::int64_t>(curves.epochs()))
                .add("epochs", static_cast<std::int64_t>(n_epochs()))
                .add("loss", curves.loss.back())
                .add("validation_loss", curves.validation_loss.back())
                .add("top1", curves.top1.back())
                .add("top5", curves.top5.back())
                .add("kept_epoch", static_cast<std::int64_t>(training_.kept_epoch))
                .add("seconds_left", seconds_left));
}

}  // namespace

Outcome train(const Job& job, const Listener& listener, const std::atomic<bool>& stop) {
  return Trainer(job, listener, stop).run();
}

std::string choose_device(const std::string& word) {
  const bool has_cuda = torch::cuda::is_available();
  if (word == "auto") return has_cuda ? "cuda" : "cpu";
  if (word != "cpu" && word != "cuda")
    throw UserError("there is no device '" + word + "'", "choose auto, cpu or cuda");
  if (word == "cuda" && !has_cuda)
    throw UserError("there is no GPU that this libtorch can use", "train with --device cpu");
  return word;
}

void use_threads(int threads) {
  if (threads == 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  torch::set_num_threads(threads);
}

}  // namespace hone::train
