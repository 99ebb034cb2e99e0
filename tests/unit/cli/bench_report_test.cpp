#include "cli/bench_report.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/file.h"
#include "cli/bench_baseline.h"
#include "cli/bench_profile.h"
#include "cli/bench_warnings.h"
#include "tests/shared_data.h"

namespace hone::cli {
namespace {

// Times around `ms`, the same ones every time.
BenchResult result(const std::string& artefact, double ms, int runs = 20) {
  BenchResult out{artefact, {}, {}};
  for (int i = 0; i < runs; ++i) out.samples.seconds.push_back(ms * 1e-3 * (1 + 0.001 * (i % 5)));
  return out;
}

BenchReport report(std::vector<BenchResult> results) {
  BenchReport out;
  out.threads = 2;
  out.results = std::move(results);
  return out;
}

std::string written(const BenchReport& report) {
  std::string file = temporary_file("base.json");
  export_report(report, file);
  return file;
}

std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(BenchReport, TextComparesWithTheFastest) {
  const std::string text = to_text(report({result("a.hone", 30), result("b.hone", 10)}));
  EXPECT_NE(text.find("b.hone is 3.00 ± 0.00 times faster than a.hone\n"), std::string::npos) << text;
  EXPECT_NE(text.find("p50 10.020"), std::string::npos) << text;
}

TEST(BenchReport, CsvQuotesNames) {
  const std::string text = to_csv(report({result("a \"b\", c.hone", 10, 5)}));
  EXPECT_EQ(text,
            "artefact,threads,runs,mean_s,deviation_s,p50_s,p90_s,p99_s,min_s\n"
            "\"a \"\"b\"\", c.hone\",2,5,0.01002,1.58113883e-05,0.01002,0.01004,0.01004,0.01\n");
}

TEST(BenchReport, MarkdownIsATableWithTheRatios) {
  const std::string text = to_markdown(report({result("a.hone", 30), result("b.hone", 10)}));
  EXPECT_NE(text.find("| `a.hone` | 30.060 ± 0.044 | 30.060 | 30.120 | 30.000 | 3.00 |\n"),
            std::string::npos)
      << text;
}

TEST(BenchReport, FormatsAreToldByTheEnding) {
  EXPECT_EQ(export_problem("x/y.csv"), "");
  EXPECT_EQ(export_problem("y.txt"), "`y.txt` ends in none of .json, .csv and .md");
}

TEST(BenchProfile, SharesAreOfTheMachineAndGapsAreNamed) {
  BenchResult profiled = result("a.hone", 10);
  profiled.profile = {.whole_s = 0.01,
                      .steps = {{"/add", "copy", 0.002, 0, 2e6}, {"/conv", "conv2d", 0.007, 7e8, 7e6}},
                      .peak_gflops = 200,
                      .bandwidth_gbs = 10};
  profiled.profile.steps[1].alone_s = 0.005;
  EXPECT_EQ(
      profile_text(profiled),
      "a.hone: of 200 GFLOP/s and of 10.0 GB/s, beyond which caches helped\n"
      "        ms  share  GFLOP/s   peak    GB/s  memory  kernel                                   "
      "nodes\n"
      "    7.0000  70.0%    100.0  50.0%     1.0   10.0%  conv2d                                   "
      "/conv\n"
      "    2.0000  20.0%                     1.0   10.0%  copy                                     "
      "/add\n"
      "    9.0000  90.0%  all steps\n"
      "    1.0000  10.0%  between them, with reading the clock\n"
      "    2.0000  20.0%  in which tuned steps differ from the 5.0000 ms that tuning measured of "
      "them\n");
}

TEST(Baseline, ARegressionIsMoreThanTheShareAndTheNoise) {
  const BenchReport earlier = read_results(written(report({result("old/net.hone", 10)})));
  const auto now = [&](double ms) { return report({result("net.hone", ms)}); };
  EXPECT_FALSE(compare(earlier, now(10.4), 0.05)[0].is_regression);
  EXPECT_TRUE(compare(earlier, now(10.6), 0.05)[0].is_regression);
  EXPECT_FALSE(compare(earlier, now(5), 0)[0].is_regression);
  EXPECT_NEAR(compare(earlier, now(20), 0)[0].ratio.value, 2, 1e-9);
  BenchReport noisy = now(10.6);
  for (std::size_t i = 0; i < 20; i += 3) noisy.results[0].samples.seconds[i] *= 2;
  EXPECT_FALSE(compare(earlier, noisy, 0.05)[0].is_regression);
}

TEST(Baseline, ResultsAreFoundByName) {
  const BenchReport earlier =
      read_results(written(report({result("old/a.hone", 10), result("old/b.hone", 20)})));
  const auto both = compare(earlier, report({result("b.hone", 20), result("a.hone", 20)}), 0.1);
  EXPECT_NEAR(both[0].ratio.value, 1, 1e-9);
  EXPECT_NEAR(both[1].ratio.value, 2, 1e-9);
  EXPECT_NE(
      refusal([&] { compare(earlier, report({result("c.hone", 20)}), 0); }).find("no result of c.hone"),
      std::string::npos);
  const BenchReport one = read_results(written(report({result("other.hone", 10)})));
  EXPECT_EQ(compare(one, report({result("c.hone", 20)}), 0).size(), 1u);
}

TEST(Baseline, WhatCannotBeComparedIsRefused) {
  BenchReport earlier = report({result("a.hone", 10)});
  earlier.threads = 1;
  EXPECT_NE(refusal([&] {
              compare(earlier, report({result("a.hone", 10)}), 0);
            }).find("was measured on 1 threads, not on 2"),
            std::string::npos);
  const std::string file = temporary_file("wrong.json");
  for (const char* text : {"", "{", "[]", R"({"schema": "hone.bench/1"})",
                           R"({"schema": "hone.bench_artefacts/1", "threads": 1, "results": 3})",
                           R"({"schema": "hone.bench_artefacts/1", "threads": 1,
                               "results": [{"artefact": "a", "seconds": []}]})"}) {
    write_whole(file, text);
    EXPECT_NE(refusal([&] { read_results(file); }), "") << text;
  }
  EXPECT_NE(refusal([&] { read_results(file + ".missing"); }).find("cannot be read"),
            std::string::npos);
}

std::vector<std::string> texts(const std::vector<Warning>& warnings) {
  std::vector<std::string> out;
  for (const Warning& warning : warnings) {
    EXPECT_NE(warning.hint, "");
    out.push_back(warning.text);
  }
  return out;
}

TEST(BenchWarnings, AQuietMachineGetsNone) {
  EXPECT_TRUE(warnings_of(result("a.hone", 10)).empty());
  EXPECT_TRUE(warnings_of_machine(0.01, "performance").empty());
  EXPECT_TRUE(warnings_of_machine(0.01, "").empty());
}

TEST(BenchWarnings, OutliersAndASlowFirstRunAreNamed) {
  BenchResult disturbed = result("a.hone", 10);
  disturbed.samples.seconds[0] *= 3;
  EXPECT_EQ(texts(warnings_of(disturbed)),
            std::vector<std::string>{"the first run of a.hone took 3.0 times the median"});
  disturbed.samples.seconds[4] *= 3;
  EXPECT_EQ(texts(warnings_of(disturbed)).back(), "2 of 20 runs of a.hone are outliers");
  EXPECT_EQ(texts(warnings_of(result("a.hone", 0.001))),
            std::vector<std::string>{"a run of a.hone takes 1.0 us, and the clock ticks in it, too"});
}

TEST(BenchWarnings, OfTheMachine) {
  EXPECT_EQ(texts(warnings_of_machine(0.5, "powersave")),
            (std::vector<std::string>{"other processes had 50 % of the processors meanwhile",
                                      "CPU frequency scaling is on (powersave); times may move by some "
                                      "percent"}));
}

}  // namespace
}  // namespace hone::cli
