// How many programs a second each scorer judges, hone's kernels and libtorch in turns on the same rows.
//   bench_scorers SET --torch HONE_TRAIN [--scorer FILE]... [--programs N] [--threads T] [--rounds R]
//                 [--kernels FOLDER] [--json FILE]
// A line a scorer: without FILEs one of each kind, trained for one epoch. `rows_per_s` is what making
// all views of a program costs, `native_per_s` and `torch_per_s` begin with rows in memory; all three
// also as they would be if nobody else used the cores. The drafts have lines of their own.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>

#include "base/json_object.h"
#include "base/parallel.h"
#include "base/temporary_folder.h"
#include "benchmarks/report.h"
#include "benchmarks/scored_programs.h"
#include "benchmarks/torch_peer.h"
#include "score/make_model.h"
#include "target/detect.h"
#include "tune/cycle_columns.h"
#include "tune/learned_scorer.h"
#include "tune/make_proposer.h"

namespace hone::bench {
namespace {

struct Options {
  std::string set, torch, kernels, json;
  std::vector<std::string> scorers;
  std::size_t programs = 2048;
  int threads = 2, rounds = 9;
};

template <class Work>
Seconds seconds_of(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t busy = std::clock();
  work();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - start;
  return {wall.count(), static_cast<double>(std::clock() - busy) / CLOCKS_PER_SEC};
}

double median(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + std::ssize(values) / 2);
  return values[values.size() / 2];
}

// The medians of several rounds.
class Times {
 public:
  void add(const Seconds& seconds) {
    wall_.push_back(seconds.wall);
    busy_.push_back(seconds.busy);
  }
  double wall() const { return median(wall_); }
  double busy() const { return median(busy_); }

 private:
  std::vector<double> wall_, busy_;
};

void add_rates(JsonObject& to, const std::string& name, std::size_t programs, const Times& times,
               int threads) {
  const auto n = static_cast<double>(programs);
  to.add(name + "_per_s", std::round(n / times.wall()));
  to.add(name + "_undisturbed_per_s", std::round(n / times.busy() * threads));
}

// What hone says as libtorch does: the log of the score of a program that may fail.
double as_trained(const score::Prediction& prediction) {
  return std::log(prediction.score) + std::log(prediction.valid);
}

// The largest difference, relative to how large scores are.
double difference(const std::vector<score::Prediction>& ours, const std::vector<float>& theirs) {
  double most = 0, squares = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    most = std::max(most, std::abs(as_trained(ours[i]) - double{theirs[i]}));
    squares += double{theirs[i]} * double{theirs[i]};
  }
  return most / std::max(1e-6, std::sqrt(squares / static_cast<double>(ours.size())));
}

void time_network(const std::string& file, const ScoredPrograms& programs, const std::string& set,
                  const std::string& scores, const Options& options, Report& report) {
  target::Target target = target::host();
  target.cores = options.threads;
  const auto network = tune::load_scorer(file, target, options.kernels);
  std::vector<score::Sample> samples;
  const auto make_rows = [&] { samples = samples_of(programs, network->views(), options.threads); };
  make_rows();
  TorchPeer peer(options.torch, file, set, scores, options.threads);
  std::vector<score::Prediction> said = network->predict(samples);
  Times rows, native, torch;
  for (int round = 0; round < options.rounds; ++round) {
    torch.add(peer.time());
    native.add(seconds_of([&] { said = network->predict(samples); }));
    rows.add(seconds_of(make_rows));
  }
  JsonObject line;
  line.add("scorer", file).add("programs", programs.size()).add("threads", options.threads);
  add_rates(line, "rows", programs.size(), rows, options.threads);
  add_rates(line, "native", programs.size(), native, options.threads);
  add_rates(line, "torch", programs.size(), torch, options.threads);
  line.add("times_torch", torch.wall() / native.wall());
  line.add("times_torch_undisturbed", torch.busy() / native.busy());
  line.add("difference", difference(said, peer.finish()));
  report.line(line.text());
}

// Programs as searches draft them: the first task's, of which 64 were measured.
void time_draft(const std::string& kind, const ScoredPrograms& programs, const Options& options,
                Report& report) {
  constexpr std::size_t kTrials = 64;
  score::ModelOptions models;
  models.cycles = tune::cycle_columns();
  models.trees.threads = options.threads;
  const std::unique_ptr<score::Model> model = score::make_model(kind, models);
  std::vector<tune::Featurise> featurise;
  for (const feature::SectionTask& task : programs.input.tasks)
    featurise.push_back(tune::featuriser(task.task, target::host(), nullptr));
  std::vector<score::Sample> samples(programs.size());
  const auto make_rows = [&] {
    parallel_for(samples.size(), options.threads, [&](std::size_t i) {
      samples[i] = featurise[programs.task_of[i]](programs.steps[i]);
    });
  };
  make_rows();
  const std::size_t n_trials = std::min(kTrials, samples.size());
  const float best_s = *std::min_element(programs.best_s.begin(), programs.best_s.begin() + n_trials);
  std::vector<double> labels;
  for (std::size_t i = 0; i < n_trials; ++i) labels.push_back(best_s / programs.best_s[i]);
  model->train(std::span(samples).first(n_trials), labels);
  Times rows, drafted;
  for (int round = 0; round < options.rounds; ++round) {
    drafted.add(seconds_of([&] { model->predict(samples); }));
    rows.add(seconds_of(make_rows));
  }
  JsonObject line;
  line.add("draft", kind).add("programs", programs.size()).add("threads", options.threads);
  add_rates(line, "rows", programs.size(), rows, options.threads);
  const bool is_shared = kind != "analytic";  // which is quicker than threads are begun
  add_rates(line, "native", programs.size(), drafted, is_shared ? options.threads : 1);
  report.line(line.text());
}

int run(Options options) {
  const std::vector<std::string> views = {"tlp",     "statements", "primitives",
                                          "summary", "context",    "embedding"};
  Report report(options.json);
  const ScoredPrograms programs = read_programs(options.set, options.programs);
  const TemporaryFolder folder;
  const std::string set = folder.path() / "programs.hds";
  write_set(programs, views, samples_of(programs, views, options.threads), set);
  for (const char* kind : {"analytic", "informed"}) time_draft(kind, programs, options, report);
  if (options.scorers.empty()) {
    for (const std::string kind :
         {"tlp", "tenset-mlp", "statement-lstm", "statement-attention", "atformer", "hone"}) {
      options.scorers.push_back(folder.path() / kind);
      train_briefly(options.torch, kind, set, options.scorers.back());
    }
  }
  for (const std::string& scorer : options.scorers)
    time_network(scorer, programs, set, folder.path() / "scores.npy", options, report);
  return 0;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app{"How many programs a second each scorer judges."};
  app.add_option("set", options.set, "a data set whose computations are known")->required();
  app.add_option("--torch", options.torch, "the program hone-train")->required();
  app.add_option("--scorer", options.scorers, "files of trained networks");
  app.add_option("--programs", options.programs, "to score at a time")->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "threads of each side")->check(CLI::PositiveNumber);
  app.add_option("--rounds", options.rounds, "of which the median counts")->check(CLI::PositiveNumber);
  app.add_option("--kernels", options.kernels, "folder of compiled networks, kept for the next time");
  app.add_option("--json", options.json, "lines go into this file, too");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] { return hone::bench::run(options); });
}
