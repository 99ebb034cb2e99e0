// How many trials each way of searching needs on complete recorded spaces, where the optimum is known.
//   bench_spaces ARCHIVE [--seeds N] [--json FILE]
// ARCHIVE is a tar of CSV files, one a space. The model is boosted trees on the configurations
// themselves, trained after every batch of 16.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <limits>

#include "benchmarks/report.h"
#include "score/boosted_trees.h"
#include "tests/unit/search/recorded_space.h"

namespace hone::bench {
namespace {

constexpr int kBatch = 16;
constexpr int kBudget = 500;  // trials after which a search is stopped, and what it then counts

struct Way {
  std::string search;
  search::Acquisition acquisition;
};

// Boosted trees as a scorer of points.
class OnlineModel {
 public:
  OnlineModel(const search::RecordedSpace& space, std::uint64_t seed)
      : space_(space), trees_({.seed = seed}) {}

  void learn(std::span<const search::Trial> trials) {
    for (const search::Trial& trial : trials) {
      samples_.push_back(sample(trial.point));
      times_.push_back(trial.time.value_or(std::numeric_limits<double>::infinity()));
    }
    const double best = *std::ranges::min_element(times_);
    std::vector<double> labels;
    for (const double time : times_) labels.push_back(std::isinf(time) ? 0 : best / time);
    trees_.train(samples_, labels);
  }
  std::vector<search::Prediction> predict(std::span<const search::Point> points) const {
    std::vector<score::Sample> samples;
    for (const search::Point& point : points) samples.push_back(sample(point));
    std::vector<search::Prediction> out;
    for (const score::Prediction& each : trees_.predict(samples))
      out.push_back({.score = each.score, .spread = each.spread, .valid = each.valid});
    return out;
  }

 private:
  score::Sample sample(const search::Point& point) const { return {space_.coordinates(point), {0}}; }

  const search::RecordedSpace& space_;
  score::BoostedTrees trees_;
  std::vector<score::Sample> samples_;
  std::vector<double> times_;
};

// Trials until one is within 1 % of the optimum.
int trials_needed(const Way& way, const search::RecordedSpace& space, std::uint64_t seed) {
  const search::Options options{
      .seed = seed, .acquisition = way.acquisition, .population = 128, .generations = 3, .steps = 16};
  const auto search = search::make_search(way.search, space, options);
  OnlineModel model(space, seed);
  const search::Scorer scorer = [&](std::span<const search::Point> points) {
    return model.predict(points);
  };
  int n = 0;
  for (int round = 0; n < kBudget; ++round) {
    std::vector<search::Trial> trials;
    for (const search::Point& point : search->next(kBatch, scorer, round)) {
      ++n;
      trials.push_back(space.measure(point));
      if (trials.back().time.value_or(1e30) <= 1.01 * space.best_time()) return n;
    }
    search->tell(trials);
    if (way.search != "random") model.learn(trials);
  }
  return kBudget;
}

struct Result {
  double trials;  // geometric mean over spaces and seeds
  double error;   // standard error of it, from the differences between seeds
};

Result judge(const Way& way, const std::vector<search::RecordedSpace>& spaces, int n_seeds) {
  double sum = 0;        // of logarithms
  double deviation = 0;  // squared, from the mean of the space
  for (const search::RecordedSpace& space : spaces) {
    double space_sum = 0;
    double space_squares = 0;
    for (int seed = 0; seed < n_seeds; ++seed) {
      const double log_n = std::log(trials_needed(way, space, static_cast<std::uint64_t>(seed)));
      space_sum += log_n;
      space_squares += log_n * log_n;
    }
    sum += space_sum;
    deviation += space_squares - space_sum * space_sum / n_seeds;
  }
  const double n_spaces = static_cast<double>(spaces.size());
  const double trials = std::exp(sum / (n_spaces * n_seeds));
  const double variance = deviation / (n_spaces * (n_seeds - 1));
  return {trials, trials * std::sqrt(variance / (n_spaces * n_seeds))};
}

int run(const std::string& archive, int n_seeds, const std::string& json) {
  using enum search::Acquisition;
  const std::vector<Way> ways = {
      {"random", Greedy},    {"coordinate", Greedy},  {"annealing", ExpectedImprovement},
      {"evolution", Greedy}, {"evolution", Thompson}, {"evolution", ExpectedImprovement}};
  const std::vector<search::RecordedSpace> spaces = search::read_recorded_spaces(archive);
  Report report(json);
  for (const Way& way : ways) {
    const Result result = judge(way, spaces, n_seeds);
    const auto& acquisition = search::acquisition_names()[static_cast<std::size_t>(way.acquisition)];
    report.line(fmt::format(
        R"({{"search": "{}", "acquisition": "{}", "spaces": {}, "seeds": {}, "trials": {:.1f}, "error": {:.1f}}})",
        way.search, acquisition, spaces.size(), n_seeds, result.trials, result.error));
  }
  return 0;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  CLI::App app("Trials that each way of searching needs on complete recorded spaces");
  std::string archive;
  std::string json;
  int n_seeds = 20;
  app.add_option("archive", archive, "tar of CSV files, may be compressed")->required();
  app.add_option("--seeds", n_seeds, "seeds of each search")->check(CLI::Range(2, 1000));
  app.add_option("--json", json, "also write the lines to this file");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] { return hone::bench::run(archive, n_seeds, json); });
}
