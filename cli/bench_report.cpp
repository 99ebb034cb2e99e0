#include "cli/bench_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "cli/bench_profile.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Format {
  const char* ending;
  std::string (*print)(const BenchReport&);
};
constexpr std::array<Format, 3> kFormats = {
    {{".json", &to_json}, {".csv", &to_csv}, {".md", &to_markdown}}};

const BenchResult& fastest(const BenchReport& report) {
  return *std::ranges::min_element(report.results, {},
                                   [](const BenchResult& result) { return result.samples.median(); });
}

std::string times_of(const Samples& s) {
  return fmt::format("{:>9.3f} ms ± {:.3f}   p50 {:.3f}  p90 {:.3f}  p99 {:.3f}   min {:.3f}   {} runs",
                     s.mean() * 1e3, s.deviation() * 1e3, s.median() * 1e3, s.percentile(0.9) * 1e3,
                     s.percentile(0.99) * 1e3, std::ranges::min(s.seconds) * 1e3, s.seconds.size());
}

// "2.00 ± 0.10 times slower than", "as fast (1.01 ± 0.02) as"
std::string in_words(const Ratio& ratio) {
  if (std::abs(ratio.value - 1) <= ratio.spread)
    return fmt::format("as fast (within noise, {:.2f} ± {:.2f}) as", ratio.value, ratio.spread);
  if (ratio.value > 1)
    return fmt::format("{:.2f} ± {:.2f} times slower than", ratio.value, ratio.spread);
  const double inverse = 1 / ratio.value;
  return fmt::format("{:.2f} ± {:.2f} times faster than", inverse, ratio.spread * inverse * inverse);
}

Json profile_json(const Profile& profile) {
  Json steps = Json::array();
  for (const StepTime& step : profile.steps) {
    steps.push_back({{"label", step.label},
                     {"kernel", step.kernel},
                     {"seconds", step.seconds},
                     {"flop", step.flop},
                     {"bytes", step.bytes}});
    if (step.alone_s > 0) steps.back()["alone_s"] = step.alone_s;
  }
  return steps;
}

Json result_json(const BenchResult& result) {
  const Samples& s = result.samples;
  Json json{{"artefact", result.artefact},          {"mean_s", s.mean()},
            {"deviation_s", s.deviation()},         {"p50_s", s.median()},
            {"p90_s", s.percentile(0.9)},           {"p99_s", s.percentile(0.99)},
            {"min_s", std::ranges::min(s.seconds)}, {"seconds", s.seconds}};
  if (result.profile.steps.empty()) return json;
  json["profiled_s"] = result.profile.whole_s;
  json["peak_gflops"] = result.profile.peak_gflops;
  json["bandwidth_gbs"] = result.profile.bandwidth_gbs;
  json["profile"] = profile_json(result.profile);
  return json;
}

}  // namespace

std::string to_text(const BenchReport& report) {
  std::string text;
  std::size_t width = 0;
  for (const BenchResult& result : report.results) width = std::max(width, result.artefact.size());
  for (const BenchResult& result : report.results)
    text += fmt::format("{:<{}}  {}\n", result.artefact, width, times_of(result.samples));
  const BenchResult& best = fastest(report);
  for (const BenchResult& result : report.results) {
    if (&result == &best) continue;
    const Ratio ratio = ratio_of(best.samples, result.samples);
    text += fmt::format("{} is {:.2f} ± {:.2f} times faster than {}\n", best.artefact, ratio.value,
                        ratio.spread, result.artefact);
  }
  for (const Comparison& comparison : report.comparisons) {
    text += fmt::format("{} is {} in {}, which is of another session\n", comparison.artefact,
                        in_words(comparison.ratio), report.base);
  }
  for (const BenchResult& result : report.results) {
    if (!result.profile.steps.empty()) text += "\n" + profile_text(result);
  }
  return text;
}

std::string to_json(const BenchReport& report) {
  Json json{{"schema", kBenchSchema}, {"threads", report.threads}, {"results", Json::array()}};
  for (const BenchResult& result : report.results) json["results"].push_back(result_json(result));
  for (const Comparison& comparison : report.comparisons) {
    json["against"].push_back({{"artefact", comparison.artefact},
                               {"base", report.base},
                               {"ratio", comparison.ratio.value},
                               {"spread", comparison.ratio.spread},
                               {"is_regression", comparison.is_regression}});
  }
  for (const Warning& warning : report.warnings)
    json["warnings"].push_back({{"warning", warning.text}, {"hint", warning.hint}});
  return json.dump() + "\n";
}

std::string to_csv(const BenchReport& report) {
  std::string text = "artefact,threads,runs,mean_s,deviation_s,p50_s,p90_s,p99_s,min_s\n";
  for (const BenchResult& result : report.results) {
    const Samples& s = result.samples;
    std::string name = result.artefact;
    for (std::size_t at = 0; (at = name.find('"', at)) != std::string::npos; at += 2)
      name.insert(at, 1, '"');
    text += fmt::format("\"{}\",{},{},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g},{:.9g}\n", name,
                        report.threads, s.seconds.size(), s.mean(), s.deviation(), s.median(),
                        s.percentile(0.9), s.percentile(0.99), std::ranges::min(s.seconds));
  }
  return text;
}

std::string to_markdown(const BenchReport& report) {
  std::string text =
      "| artefact | mean [ms] | p50 [ms] | p99 [ms] | min [ms] | relative |\n"
      "|:---|---:|---:|---:|---:|---:|\n";
  const BenchResult& best = fastest(report);
  for (const BenchResult& result : report.results) {
    const Samples& s = result.samples;
    text +=
        fmt::format("| `{}` | {:.3f} ± {:.3f} | {:.3f} | {:.3f} | {:.3f} | {:.2f} |\n", result.artefact,
                    s.mean() * 1e3, s.deviation() * 1e3, s.median() * 1e3, s.percentile(0.99) * 1e3,
                    std::ranges::min(s.seconds) * 1e3, ratio_of(best.samples, s).value);
  }
  return text;
}

std::string export_problem(const std::string& file) {
  const auto ends = [&](const Format& format) { return file.ends_with(format.ending); };
  if (std::ranges::any_of(kFormats, ends)) return {};
  return fmt::format("`{}` ends in none of .json, .csv and .md", file);
}

void export_report(const BenchReport& report, const std::string& file) {
  for (const Format& format : kFormats) {
    if (file.ends_with(format.ending)) return write_whole(file, format.print(report));
  }
  throw UserError("--export: " + export_problem(file));
}

}  // namespace hone::cli
