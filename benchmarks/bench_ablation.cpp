// What each part of the search is worth: curves and losses of the default with parts of it left out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "benchmarks/ablation.h"
#include "benchmarks/ansor_ops.h"
#include "benchmarks/report.h"
#include "benchmarks/search_figure.h"
#include "benchmarks/search_report.h"
#include "benchmarks/tuning.h"
#include "task/catalogue.h"

namespace hone::bench {
namespace {

struct Options {
  std::string json, svg, space = "ansor";
  std::vector<std::string> cases = {"C2D.2.b1", "NRM.1.b1", "ConvLayer.1.b1", "TBG.0.b1"};
  std::vector<std::string> variants;  // none: all
  int trials = 200, seeds = 3, threads = 1;
};

std::vector<AblationVariant> variants_of(const Options& options) {
  std::vector<AblationVariant> chosen = ablation_variants();
  std::erase_if(chosen, [&](const AblationVariant& variant) {
    return !options.variants.empty() &&
           std::ranges::find(options.variants, variant.name) == options.variants.end();
  });
  return chosen;
}

std::vector<std::string> variant_names() {
  std::vector<std::string> names;
  for (const AblationVariant& variant : ablation_variants()) names.push_back(variant.name);
  return names;
}

CaseResult ablate(const Case& one, const Options& options) {
  const auto task = std::make_shared<const task::Task>(task::from_op(one.op));
  CaseResult result{.name = one.name, .op = one.op, .variants = {}};
  std::vector<std::vector<tune::Trial>> trials;
  tune::Options run;
  run.op = one.op;
  run.space = options.space == "hone" ? tune::SpaceKind::Hone : tune::SpaceKind::Ansor;
  run.trials = options.trials;
  run.threads = options.threads;
  for (const AblationVariant& variant : variants_of(options)) {
    Variant& searched =
        result.variants.emplace_back(Variant{.name = variant.name, .runs = {}, .random = {}});
    for (int seed = 1; seed <= options.seeds; ++seed) {
      run.seed = static_cast<std::uint64_t>(seed);
      tune::Summary summary = tune_once(ablation_parts(variant.name, task, run), run);
      searched.runs.push_back(run_result(summary));
      trials.push_back(std::move(summary.trials));
    }
  }
  const tune::Parts parts = tune::make_parts(task, run);
  const std::vector<BestSoFar> curves = best_so_far(trials, *parts.meter);
  double best_us = std::numeric_limits<double>::infinity();
  for (const BestSoFar& curve : curves) best_us = std::min(best_us, curve.best_us());
  auto next = curves.begin();
  for (Variant& variant : result.variants) {
    for (RunResult& searched : variant.runs) searched.curve = *next++;
    variant.best_known_us = best_us;
  }
  return result;
}

// Shares of each variant after the marks and in the end, geometric means over the cases.
void print_losses(const std::vector<CaseResult>& results, const Options& options) {
  std::vector<int> marks;
  for (const int mark : kMarks)
    if (mark < options.trials) marks.push_back(mark);
  marks.push_back(options.trials);
  fmt::print("  {:<14}", "variant");
  for (const int mark : marks) fmt::print(" {:>6}", mark);
  fmt::print("    loss\n");
  const std::vector<AblationVariant> variants = variants_of(options);
  std::vector<double> full;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    std::vector<double> shares;
    for (const int mark : marks) {
      std::vector<double> each;
      for (const CaseResult& result : results) each.push_back(*result.variants[i].share_after(mark));
      shares.push_back(geomean(each));
    }
    if (i == 0) full = shares;
    fmt::print("  {:<14}", variants[i].name);
    for (const double share : shares) fmt::print(" {:6.3f}", share);
    fmt::print("  {:5.1f} %  {}\n", 100 * (1 - shares.back() / full.back()), variants[i].meaning);
  }
  std::fflush(stdout);
}

bool answers(const CaseResult& result, const Case& one, const Options& options) {
  return result.name == one.name && result.op == one.op &&
         std::ranges::equal(result.variants, variants_of(options), {}, &Variant::name,
                            &AblationVariant::name) &&
         std::ranges::all_of(result.variants, [&](const Variant& variant) {
           return std::ssize(variant.runs) == options.seeds &&
                  variant.runs.front().trials == options.trials;
         });
}

int run(const Options& options) {
  const std::vector<CaseResult> earlier = read_results(options.json);
  std::vector<CaseResult> results;
  std::string lines;
  for (const Case& one : ansor_ops()) {
    if (std::ranges::find(options.cases, one.name) == options.cases.end()) continue;
    const auto known = std::ranges::find_if(
        earlier, [&](const CaseResult& result) { return answers(result, one, options); });
    results.push_back(known != earlier.end() ? *known : ablate(one, options));
    fmt::print("{}{}\n", one.name, known != earlier.end() ? ", from " + options.json : "");
    print_losses({results.back()}, options);
    lines += to_json(results.back()).dump() + "\n";
    if (!options.json.empty()) write_whole(options.json, lines);
  }
  if (results.empty()) throw UserError("no case has such a name", "names look like C2D.2.b1");
  fmt::print("all\n");
  print_losses(results, options);
  if (!options.svg.empty()) write_whole(options.svg, ablation_figure(results));
  return 0;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app{"What each part of the search is worth"};
  app.add_option("--cases", options.cases, "of bench_search's suite");
  app.add_option("--space", options.space, "hone or ansor")->check(CLI::IsMember({"hone", "ansor"}));
  app.add_option("--variants", options.variants, "some of them; losses are against the first one")
      ->check(CLI::IsMember(hone::bench::variant_names()));
  app.add_option("--trials", options.trials, "a run")->check(CLI::Range(16, 100000));
  app.add_option("--seeds", options.seeds, "runs of each variant")->check(CLI::Range(1, 1000));
  app.add_option("--threads", options.threads, "that a kernel runs on")->check(CLI::Range(1, 1024));
  app.add_option("--json", options.json,
                 "results, a line a case; what the file holds already is not run again");
  app.add_option("--svg", options.svg, "curves as a picture");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] { return hone::bench::run(options); });
}
