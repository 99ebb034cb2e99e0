#include "cli/bench_baseline.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/bench_report.h"

namespace hone::cli {
namespace {

using Json = nlohmann::json;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw UserError(fmt::format("{} {}", file, why),
                  "`hone bench MODEL.hone --export base.json` writes results to compare with");
}

const BenchResult& result_for(const std::string& artefact, const BenchReport& earlier, bool is_only) {
  if (is_only && earlier.results.size() == 1) return earlier.results.front();
  const auto name = [](const std::string& path) { return std::filesystem::path(path).filename(); };
  for (const BenchResult& result : earlier.results) {
    if (name(result.artefact) == name(artefact)) return result;
  }
  refuse(earlier.base, fmt::format("has no result of {}", name(artefact).string()));
}

}  // namespace

BenchReport read_results(const std::string& file) {
  std::ifstream in(file);
  if (!in) refuse(file, "cannot be read");
  BenchReport report;
  report.base = file;
  try {
    const Json json = Json::parse(in);
    if (json.at("schema") != kBenchSchema) refuse(file, "has no results of artefacts");
    report.threads = json.at("threads");
    for (const Json& result : json.at("results"))
      report.results.push_back({result.at("artefact"), {result.at("seconds")}, {}});
  } catch (const Json::exception&) {
    refuse(file, "has no results of artefacts");
  }
  for (const BenchResult& result : report.results) {
    const std::vector<double>& seconds = result.samples.seconds;
    if (seconds.empty() || std::ranges::min(seconds) <= 0) refuse(file, "has a result without times");
  }
  return report;
}

std::vector<Comparison> compare(const BenchReport& earlier, const BenchReport& report,
                                double fail_over) {
  if (earlier.threads != report.threads) {
    throw UserError(fmt::format("{} was measured on {} threads, not on {}", earlier.base,
                                earlier.threads, report.threads),
                    fmt::format("add --threads {}", earlier.threads));
  }
  std::vector<Comparison> comparisons;
  for (const BenchResult& result : report.results) {
    const BenchResult& before = result_for(result.artefact, earlier, report.results.size() == 1);
    const Ratio ratio = ratio_of(before.samples, result.samples);
    comparisons.push_back({result.artefact, ratio, ratio.value - ratio.spread > 1 + fail_over});
  }
  return comparisons;
}

}  // namespace hone::cli
