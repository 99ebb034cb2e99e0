#include "train/trainer.h"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <thread>

#include "base/error.h"
#include "train/batches.h"
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
std::string purpose_of(const Job& job, const DataSet& set) {
  std::string text = job.kind + " on " + std::to_string(set.file.content_hash()) + " fold " +
                     std::to_string(job.left_out.number) + "/" + std::to_string(job.left_out.of);
  for (const Option& option : job.options.all()) text += " " + option.name + "=" + option.value;
  return text;
}

std::vector<Program> programs_of(const DataSet& set, const TaskIds& tasks) {
  std::vector<Program> programs;
  for (const std::uint32_t task : tasks)
    programs.insert(programs.end(), set.tasks[task].programs.begin(), set.tasks[task].programs.end());
  return programs;
}

std::vector<Program> flat(const ListBatch& lists) {
  std::vector<Program> programs;
  for (const List& list : lists) programs.insert(programs.end(), list.begin(), list.end());
  return programs;
}

Labels labels_of(const DataSet& set, const ListBatch& lists, torch::Device device) {
  std::size_t longest = 1;
  for (const List& list : lists) longest = std::max(longest, list.size());
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(lists.size()),
                                           static_cast<std::int64_t>(longest)};
  Labels labels{
      torch::zeros(shape), torch::zeros(shape, torch::kBool), torch::zeros(shape, torch::kBool), {}};
  std::vector<std::int64_t> slots;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    for (std::size_t j = 0; j < lists[i].size(); ++j) {
      const std::size_t slot = i * longest + j;
      slots.push_back(static_cast<std::int64_t>(slot));
      labels.speed.data_ptr<float>()[slot] = set.speed[lists[i][j]];
      labels.works.data_ptr<bool>()[slot] = set.works[lists[i][j]] != 0;
      labels.present.data_ptr<bool>()[slot] = true;
    }
  }
  labels.slot = torch::tensor(slots, torch::kLong);
  for (Tensor* tensor : {&labels.speed, &labels.works, &labels.present, &labels.slot})
    *tensor = tensor->to(device);
  return labels;
}

class Trainer {
 public:
  Trainer(const Job& job, const Listener& listener, const std::atomic<bool>& stop)
      : job_(job),
        listener_(listener),
        stop_(stop),
        select_(job.options.word("select", {"loss", "top", "last"})),
        has_cosine_(job.options.word("schedule", {"constant", "cosine"}) == "cosine"),
        set_(load_data_set(job.set, job.options.word("label", {"min", "mean"}))),
        split_(split_tasks(set_, job.left_out, job.options.number("validation"),
                           static_cast<std::uint64_t>(job.options.whole("seed")))),
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
  DataSet set_;
  Split split_;
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
    load_checkpoint(checkpoint_path(), training_, purpose_of(job_, set_));
  else  // finds out now, not after the first epoch, whether the disk takes it
    save_checkpoint(checkpoint_path(), training_, purpose_of(job_, set_));
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
  save_network(job_, set_, split_, features_, training_);
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
  const Quality quality = judge(*training_.model, features_, set_, split_.validation);
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
      training_.model->loss(features_.batch(flat(lists)), labels_of(set_, lists, device_));
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
    sum += training_.model->loss(features_.batch(flat(lists)), labels_of(set_, lists, device_))
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
    save_checkpoint(checkpoint_path(), training_, purpose_of(job_, set_));
  } catch (const UserError& error) {
    listener_(Event("warning").add("text", error.what()));
  }
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
                .add("epochs", count(n_epochs()))
                .add("epochs_done", count(training_.curves.epochs())));
  const auto hopeless = std::ranges::count(set_.tasks, 0.0, &Task::best_s);
  if (hopeless > 0)
    listener_(Event("warning").add(
        "text", std::to_string(hopeless) + " tasks without a program that works are left out"));
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
