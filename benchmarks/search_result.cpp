#include "benchmarks/search_result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace hone::bench {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kReached = 0.99;

Json run_to_json(const RunResult& run) {
  Json curve = Json::array();
  for (const BestSoFar::Point& point : run.curve.improvements)
    curve.push_back({point.trials, point.best_us});
  return {{"seed", run.seed},
          {"trials", run.trials},
          {"failed", run.failed},
          {"seconds", run.seconds},
          {"trials_per_s", run.trials_per_s},
          {"curve", curve}};
}

RunResult run_from_json(const Json& json) {
  RunResult run{.seed = json.at("seed"),
                .trials = json.at("trials"),
                .failed = json.at("failed"),
                .seconds = json.at("seconds"),
                .trials_per_s = json.at("trials_per_s"),
                .curve = {}};
  for (const Json& point : json.at("curve"))
    run.curve.improvements.push_back({point.at(0), point.at(1)});
  return run;
}

Json variant_to_json(const Variant& variant) {
  Json json = {{"best_us", variant.best_us()}, {"best_known_us", variant.best_known_us}};
  for (const int mark : kMarks)
    if (const auto share = variant.share_after(mark)) json[fmt::format("after_{}", mark)] = *share;
  for (const RunResult& run : variant.runs) json["runs"].push_back(run_to_json(run));
  if (variant.random) {
    for (const int mark : kMarks)
      if (const auto share = variant.random_share_after(mark))
        json[fmt::format("random_after_{}", mark)] = *share;
    json["random"] = run_to_json(*variant.random);
  }
  return json;
}

// Speeds of the guided search over all that random search found, one a seed and case.
std::vector<double> shares_of_random(const std::vector<const Variant*>& variants, int trials) {
  std::vector<double> shares;
  for (const Variant* variant : variants) {
    if (!variant->random) continue;
    for (const RunResult& run : variant->runs)
      shares.push_back(variant->random->curve.best_us() / run.curve.after(trials));
  }
  return shares;
}

// The least number of trials after which the geometric mean of the shares is as good as all; 0 when it
// never is.
template <class SharesAfter>
int trials_to_reach(const std::vector<const Variant*>& variants, const SharesAfter& shares_after) {
  int most = 0;
  for (const Variant* variant : variants)
    for (const RunResult& run : variant->runs) most = std::max(most, run.trials);
  for (int trials = 1; trials <= most; ++trials) {
    const std::vector<double> shares = shares_after(trials);
    if (!shares.empty() && geomean(shares) >= kReached) return trials;
  }
  return 0;
}

const Variant* find_variant(const CaseResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.variants, name, &Variant::name);
  return found == result.variants.end() ? nullptr : &*found;
}

std::vector<const Variant*> variants_named(const std::vector<CaseResult>& cases,
                                           const std::string& name) {
  std::vector<const Variant*> all;
  for (const CaseResult& one : cases)
    if (const Variant* variant = find_variant(one, name)) all.push_back(variant);
  return all;
}

// Speeds of the scored search over what the trees of the same seed had after 256 trials.
std::vector<double> shares_of_trees(const std::vector<CaseResult>& cases, const std::string& name,
                                    int trials) {
  constexpr int kTreesTrials = 256;
  std::vector<double> shares;
  for (const CaseResult& one : cases) {
    const Variant *trees = find_variant(one, name), *scored = find_variant(one, name + kScored);
    if (trees == nullptr || scored == nullptr) continue;
    for (std::size_t i = 0; i < std::min(trees->runs.size(), scored->runs.size()); ++i)
      shares.push_back(trees->runs[i].curve.after(kTreesTrials) / scored->runs[i].curve.after(trials));
  }
  return shares;
}

double geomean_after(const std::vector<const Variant*>& variants, int trials) {
  std::vector<double> shares;
  for (const Variant* variant : variants)
    if (const auto share = variant->share_after(trials)) shares.push_back(*share);
  return shares.empty() ? 0 : geomean(shares);
}

}  // namespace

double geomean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

RunResult run_result(const tune::Summary& summary) {
  return {.seed = summary.options.seed,
          .trials = summary.options.trials,
          .failed = summary.progress.failed(),
          .seconds = summary.progress.trials / summary.trials_per_s,
          .trials_per_s = summary.trials_per_s,
          .curve = {}};
}

double Variant::best_us() const {
  double best = random ? random->curve.best_us() : std::numeric_limits<double>::infinity();
  for (const RunResult& run : runs) best = std::min(best, run.curve.best_us());
  return best;
}

std::optional<double> Variant::share_after(int trials) const {
  std::vector<double> shares;
  for (const RunResult& run : runs)
    if (run.trials >= trials) shares.push_back(best_known_us / run.curve.after(trials));
  return shares.empty() ? std::nullopt : std::optional(geomean(shares));
}

std::optional<double> Variant::random_share_after(int trials) const {
  if (!random || random->trials < trials) return std::nullopt;
  return best_known_us / random->curve.after(trials);
}

Json to_json(const CaseResult& result) {
  Json line = {{"case", result.name}, {"op", result.op}};
  for (const Variant& variant : result.variants) line[variant.name] = variant_to_json(variant);
  return line;
}

CaseResult case_from_json(const Json& line) {
  CaseResult result{.name = line.at("case"), .op = line.at("op"), .variants = {}};
  for (const auto& [name, json] : line.items()) {
    if (!json.is_object()) continue;
    Variant variant{.name = name, .runs = {}, .random = {}, .best_known_us = json.at("best_known_us")};
    for (const Json& run : json.at("runs")) variant.runs.push_back(run_from_json(run));
    if (json.contains("random")) variant.random = run_from_json(json.at("random"));
    result.variants.push_back(std::move(variant));
  }
  return result;
}

SuiteMarks marks_of(const std::vector<CaseResult>& cases, const std::string& variant) {
  const std::vector<const Variant*> all = variants_named(cases, variant);
  return {.after_16 = geomean_after(all, 16),
          .after_100 = geomean_after(all, 100),
          .to_random = trials_to_reach(all, [&](int trials) { return shares_of_random(all, trials); })};
}

ScorerMarks scorer_marks_of(const std::vector<CaseResult>& cases, const std::string& variant) {
  const auto shares = [&](int trials) { return shares_of_trees(cases, variant, trials); };
  if (shares(1).empty()) return {};
  return {.after_32 = geomean(shares(32)),
          .to_trees_256 = trials_to_reach(variants_named(cases, variant + kScored), shares)};
}

}  // namespace hone::bench
