#include "train/trainer.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>
#include <thread>

#include "base/error.h"
#include "train/evaluate.h"
#include "train/fit.h"
#include "train/guard.h"
#include "train/kinds.h"
#include "train/network_file.h"
#include "train/pretext.h"

namespace hone::train {
namespace {

using torch::Tensor;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// What makes one training different from another.
std::string purpose_of(const Job& job, const Material& material) {
  std::string text = job.kind + " on " + std::to_string(material.hash()) + " for " +
                     job.target.platform + " from " + job.from;
  for (const Option& option : job.options.all()) text += " " + option.name + "=" + option.value;
  return text;
}

// Nothing is learned from sources that make the target's programs harder to order.
void leave_out_harm(const Job& job, Material& material, const Listener& listener,
                    const std::atomic<bool>& stop) {
  std::vector<std::string> dropped;
  const std::vector<Harm> judged =
      judge_sources(job.kind, job.options, job.left_out, material, torch::Device(job.device), stop);
  for (const Harm& harm : judged) {
    listener(Event("source")
                 .add("platform", harm.source)
                 .add("gain_without", harm.gain_without)
                 .add("error", harm.error)
                 .add("verdict", harm.is_certain() ? "left out" : "kept"));
    if (harm.is_certain()) dropped.push_back(harm.source);
  }
  if (judged.empty() && !stop)
    material.warnings.emplace_back(
        "no source was judged: the target has too few tasks with labels, or there is no source");
  drop_sources(material, dropped);
}

// What the scorer that it starts from has seen, the new one has seen, too.
void add_keys(const std::vector<std::string>& seen, std::vector<std::string>& keys) {
  const std::set<std::string> known(keys.begin(), keys.end());
  std::ranges::copy_if(seen, std::back_inserter(keys),
                       [&](const std::string& key) { return !known.contains(key); });
}

class Trainer {
 public:
  Trainer(const Job& job, Material material, const Listener& listener, const std::atomic<bool>& stop)
      : job_(job),
        listener_(listener),
        stop_(stop),
        select_(job.options.word("select", {"loss", "top", "last"})),
        material_(std::move(material)),
        set_(material_.set),
        split_(material_.split),
        features_(set_, kind_named(job.kind).views(job.options), job.device),
        fit_(job.kind, job.options, material_, features_) {}

  Outcome run();

 private:
  void begin();
  bool pretrain();  // false when it was stopped
  bool epoch();     // the same
  bool is_better() const;
  void checkpoint();
  std::string platforms_text() const;  // "host 500 (target), e5-2673 31998"
  void tell_start() const;
  void tell_epoch(double seconds_left) const;
  std::string checkpoint_path() const { return job_.output + ".checkpoint"; }
  std::size_t n_epochs() const { return static_cast<std::size_t>(job_.options.whole("epochs")); }

  const Job& job_;
  const Listener& listener_;
  const std::atomic<bool>& stop_;
  const std::string select_;
  const Material material_;
  const DataSet& set_;
  const Split& split_;
  Features features_;
  Fit fit_;
  Training& training_ = fit_.training;
};

void Trainer::begin() {
  const bool is_there = std::filesystem::exists(checkpoint_path());
  if (is_there && !job_.resume && !job_.fresh)
    throw UserError(checkpoint_path() + " is left of an earlier training",
                    "go on from it with --resume, or begin anew with --fresh");
  if (is_there && job_.resume) {
    load_checkpoint(checkpoint_path(), training_, purpose_of(job_, material_));
    return;
  }
  if (!job_.from.empty()) start_from(*training_.model, job_.from, job_.kind, features_);
  // Finds out now, not after the first epoch, whether the disk takes it.
  save_checkpoint(checkpoint_path(), training_, purpose_of(job_, material_));
}

// What is stopped here begins anew: no epoch was lost.
bool Trainer::pretrain() {
  std::vector<Program> programs = programs_of(set_, split_.training);
  for (const Task& task : set_.tasks)
    programs.insert(programs.end(), task.unlabelled.begin(), task.unlabelled.end());
  return training_.model->pretrain({job_.options, features_, programs, listener_, stop_});
}

Outcome Trainer::run() {
  begin();
  tell_start();
  const Clock::time_point start = Clock::now();
  const std::size_t first = training_.curves.epochs(), patience = job_.options.whole("patience");
  if (first == 0 && !pretrain()) return Outcome::Stopped;
  while (training_.curves.epochs() < n_epochs()) {
    if (!epoch()) return Outcome::Stopped;
    const std::size_t done = training_.curves.epochs();
    checkpoint();
    tell_epoch(seconds_since(start) / static_cast<double>(done - first) *
               static_cast<double>(n_epochs() - done));
    if (patience > 0 && done - training_.kept_epoch >= patience) break;
  }
  training_.restore_weights();
  training_.model->leave_sources();
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
  const std::optional<double> loss = fit_.epoch(n_epochs(), stop_);
  if (!loss) return false;
  const Quality quality = judge(*training_.model, features_, set_, material_.judged());
  training_.curves.loss.push_back(*loss);
  training_.curves.validation_loss.push_back(fit_.validation_loss());
  training_.curves.top1.push_back(quality.top1);
  training_.curves.top5.push_back(quality.top5);
  if (is_better()) training_.keep_weights();
  return true;
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
  Material material = load_material(job.sets, job.options, job.left_out, job.target);
  if (job.options.whole("guard") > 0) leave_out_harm(job, material, listener, stop);
  if (stop) return Outcome::Stopped;
  if (!job.from.empty()) add_keys(read_scorer(job.from).header.tasks, material.keys);
  return Trainer(job, std::move(material), listener, stop).run();
}

std::string choose_device(const std::string& word) {
  const bool has_cuda = torch::cuda::is_available();
  if (word == "auto") return has_cuda ? "cuda" : "cpu";
  if (word != "cpu" && word != "cuda")
    throw UserError("there is no device '" + word + "'", "choose auto, cpu or cuda");
  if (word == "cuda" && !has_cuda)
    throw UserError("there is no GPU that this libtorch can use", "train with --device cpu");
  allow_short_products(false);
  return word;
}

void use_threads(int threads) {
  if (threads == 0) threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  torch::set_num_threads(threads);
}

}  // namespace hone::train
