// Which programs to measure on a new machine: a scorer adapted to few labels of a recorded set, chosen
// by what it says of the programs or at random, and judged on tasks that it was not adapted to.
//   bench_labels SET --scorer FILE [--labels 64,256,...] [--seeds S] [--pool P] [--threads T] [--all]
// Nothing is measured. Prints a Markdown table; a row is one way to choose so many labels, its seeds
// draw other programs to choose among.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <numeric>

#include "base/clock.h"
#include "benchmarks/recorded_labels.h"
#include "benchmarks/report.h"
#include "score/comparison.h"

namespace hone::bench {
namespace {

struct Options {
  std::string set, scorer;
  std::vector<std::size_t> labels = {64, 256, 500, 1024, 5000};
  int seeds = 3, threads = 2;
  bool all = false;  // labels of all programs besides: minutes
  std::size_t pool = 48;
};

// A row of the table.
struct Way {
  std::string name;
  std::size_t labels = 0;
  std::vector<std::vector<score::Verdict>> seeds;
};

std::vector<Way> try_ways(const RecordedLabels& recorded, const Options& options) {
  std::vector<Way> ways = {{"as it was", 0, {recorded.unadapted()}}};
  const auto add = [&](const char* name, const std::vector<Numbers>& choices) {
    const double start_s = now_s();
    Way& way = ways.emplace_back(name, choices.front().size());
    for (const Numbers& programs : choices) way.seeds.push_back(recorded.adapted(programs));
    fmt::print(stderr, "{} {}: {:.1f} s\n", way.name, way.labels, now_s() - start_s);
  };
  for (const std::size_t n : options.labels) {
    for (const bool is_active : {false, true}) {
      std::vector<Numbers> choices;
      for (int seed = 1; seed <= options.seeds; ++seed)
        choices.push_back(
            recorded.choose(n, is_active, options.pool, static_cast<std::uint64_t>(seed)));
      add(is_active ? "active" : "random", choices);
    }
  }
  if (options.all) add("all of them", {recorded.all()});
  return ways;
}

struct Column {
  score::Metric metric;
  const char* name;
};
const std::vector<Column> kColumns = {{{score::Family::Tasks, 1}, "top-1, mean of tasks"},
                                      {{score::Family::Tasks, 5}, "top-5"},
                                      {{score::Family::Pooled, 1}, "pooled top-1"},
                                      {{score::Family::Pairwise, 0}, "pairs in order"},
                                      {{score::Family::Rank, 0}, "rank correlation"},
                                      {{score::Family::FarOff, 0}, "lost"}};

// A star marks the best in a column, and what cannot be told apart from it.
std::string cell(const score::Standing& standing, std::size_t metric) {
  const score::Estimate& value = standing.estimates[metric];
  const std::string seeds =
      standing.n_seeds > 1 ? fmt::format(" ± {:.3f}", value.seed_deviation) : std::string();
  return fmt::format(" {:.3f}{} [{:.3f}, {:.3f}]{} |", value.value, seeds, value.low, value.high,
                     score::contains_zero(standing.behind_best[metric]) ? " *" : "");
}

void print_table(const score::Judge& judge, const std::vector<Way>& ways) {
  std::vector<score::Contestant> contestants;
  for (const Way& way : ways) contestants.push_back({way.name, way.seeds});
  std::vector<std::size_t> all(judge.set().tasks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const std::vector<score::Standing> standings = score::compare(judge, contestants, all);
  std::string head = "| labels | chosen |", rule = "|---:|:---|";
  for (const Column& column : kColumns) {
    head += fmt::format(" {} |", column.name);
    rule += "---:|";
  }
  fmt::print("{}\n{}\n", head, rule);
  for (std::size_t i = 0; i < ways.size(); ++i) {
    std::string row = fmt::format("| {} | {} |", ways[i].labels, ways[i].name);
    for (const Column& column : kColumns) {
      const auto at = std::ranges::find(judge.metrics(), column.metric);
      row += cell(standings[i], static_cast<std::size_t>(at - judge.metrics().begin()));
    }
    fmt::print("{}\n", row);
  }
}

int bench_labels(const Options& options) {
  const RecordedLabels recorded(options.set, options.scorer, options.threads);
  fmt::print("{}.\n\n", recorded.in_words());
  print_table(recorded.judge(), try_ways(recorded, options));
  return 0;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app("Labels chosen actively or at random, for a scorer to learn a machine");
  app.add_option("set", options.set, "The machine, as a data set of it")->required();
  app.add_option("--scorer", options.scorer, "Of kind hone")->required();
  app.add_option("--labels", options.labels, "How many")->delimiter(',');
  app.add_option("--seeds", options.seeds, "Draws of programs to choose among");
  app.add_option("--pool", options.pool, "So many of each task");
  app.add_option("--threads", options.threads, "To adapt and score with");
  app.add_flag("--all", options.all, "Adapt to all labels besides");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] { return hone::bench::bench_labels(options); });
}
