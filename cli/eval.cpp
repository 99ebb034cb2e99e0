// `hone eval`: how well cost models rank recorded programs.
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "base/md5.h"
#include "cli/commands.h"
#include "cli/eval_figure.h"
#include "cli/eval_report.h"
#include "cli/eval_scores.h"
#include "cli/eval_set.h"
#include "cli/exit_code.h"
#include "model/tensor_file.h"
#include "score/comparison.h"

namespace hone::cli {
namespace {

using Sources = std::vector<NamedSource>;
using Arrays = std::vector<model::NamedTensor>;

Scores checked_scores(const NamedSource& named, const EvalSet& set, double completion) {
  Scores scores = named.source->scores(set, completion);
  for (const score::JudgedTask& task : set.judged.tasks) {
    for (const std::uint32_t program : task.programs) {
      if (std::isnan(scores.score.at(program)))
        throw UserError(
            fmt::format("{} gives no number as the score of program {}", named.name, program),
            "a model with such weights cannot be used: train it again");
    }
  }
  return scores;
}

// Sources of one name are seeds of one contestant. Returns how many seeds came before.
std::size_t add_seed(std::vector<score::Contestant>& all, const std::string& name,
                     std::vector<score::Verdict> verdicts) {
  auto found = std::ranges::find(all, name, &score::Contestant::name);
  if (found == all.end()) found = all.insert(all.end(), {name, {}});
  found->seeds.push_back(std::move(verdicts));
  return found->seeds.size() - 1;
}

// Of the programs that work.
std::vector<score::TaskClaims> claims_of(const score::JudgedSet& judged, const Scores& scores) {
  std::vector<score::TaskClaims> tasks;
  for (const score::JudgedTask& task : judged.tasks) {
    tasks.emplace_back();
    for (std::size_t i = 0; i < task.programs.size(); ++i) {
      const double said = scores.log_latency[task.programs[i]];
      if (std::isfinite(said) && task.times[i] < score::kSlowest * task.best_s)
        tasks.back().push_back(
            {said, scores.spread[task.programs[i]], std::log(task.times[i] / task.best_s)});
    }
  }
  return tasks;
}

// Of several seeds the mean.
void add_doubt(std::vector<DoubtReport>& all, const std::string& name,
               const std::vector<score::TaskClaims>& tasks) {
  const std::vector<double> shares = score::coverage(tasks);
  if (shares.empty()) return;
  auto found = std::ranges::find(all, name, &DoubtReport::name);
  if (found == all.end())
    found = all.insert(all.end(), {.name = name, .coverage = std::vector<double>(shares.size())});
  found->n_seeds += 1;
  const auto n = static_cast<double>(found->n_seeds);
  found->error += (score::expected_calibration_error(tasks) - found->error) / n;
  for (std::size_t i = 0; i < shares.size(); ++i)
    found->coverage[i] += (shares[i] - found->coverage[i]) / n;
}

// The line that says that a test split was looked at, by which scorers, and when.
void log_opening(const Eval& options, const EvalSet& set, const Sources& sources) {
  std::vector<std::string> scorers;
  for (const NamedSource& source : sources) {
    scorers.push_back(
        source.file.empty()
            ? source.name
            : fmt::format("{} {}", source.name, md5_hex(read_maybe_gzip(source.file)).substr(0, 12)));
  }
  const bool is_new = !std::filesystem::exists(options.log);
  std::ofstream log(options.log, std::ios::app);
  if (is_new)
    log << "# Openings of test splits\n\n| date | set | split | scorers |\n|:---|:---|:---|:---|\n";
  log << fmt::format("| {:%F %T} | {} {:016x} | {} | {} |\n", fmt::gmtime(std::time(nullptr)),
                     std::filesystem::path(options.set).filename().string(),
                     set.data.file.content_hash(), set.judged_on, fmt::join(scorers, ", "));
  log.close();
  if (log.fail())
    throw UserError(fmt::format("cannot write {}: the test split stays closed", options.log),
                    "name a file that can be written with --log");
}

EvalReport begin_report(const Eval& options, const EvalSet& set, const score::Judge& judge) {
  return {.set = std::filesystem::path(options.set).filename().string(),
          .content_hash = fmt::format("{:016x}", set.data.file.content_hash()),
          .n_programs = set.data.n_programs(),
          .n_tasks = set.data.n_tasks(),
          .judged_on = set.judged_on,
          .without_answer = set.judged.without_answer.size(),
          .metrics = judge.metrics(),
          .parts = {},
          .partial = {},
          .doubts = {},
          .shows_search = options.search};
}

// Accuracy against completion: programs are cut after a share of their steps and scored as they stand.
std::vector<PartialReport> judge_partial(const EvalSet& set, const score::Judge& judge,
                                         const Sources& sources) {
  constexpr int kParts = 10;
  std::vector<PartialReport> reports;
  for (int part = 0; part <= kParts; ++part) {
    const double completion = static_cast<double>(part) / kParts;
    std::vector<score::Contestant> contestants;
    for (const NamedSource& source : sources) {
      if (source.source->takes_partial())
        add_seed(contestants, source.name, judge.judge(checked_scores(source, set, completion).score));
    }
    if (contestants.empty())
      throw UserError("no scorer can score programs whose last steps are missing",
                      "--partial takes scorers, not arrays of scores");
    reports.push_back({completion, score::compare(judge, contestants, set.parts.front().tasks)});
  }
  return reports;
}

// "tlp.1": what the second seed of tlp says of every program.
model::NamedTensor array_of(const std::string& name, std::size_t seed, std::vector<double> scores) {
  const auto owner = std::make_shared<const std::vector<double>>(std::move(scores));
  return {fmt::format("{}.{}", name, seed),
          model::Tensor(ir::Scalar::F64, {static_cast<std::int64_t>(owner->size())},
                        std::as_bytes(std::span(*owner)), owner)};
}

void write_exports(const Eval& options, const EvalReport& report, const std::vector<Cloud>& clouds,
                   const Arrays& arrays) {
  for (const std::string& format : options.formats) {
    if (format == "npz") {
      model::write_tensors(options.prefix + ".npz", arrays);
      continue;
    }
    const std::string text = format == "json"  ? to_json(report)
                             : format == "csv" ? to_csv(report)
                             : format == "md"  ? to_markdown(report)
                                               : curves_svg(report);
    write_whole(options.prefix + "." + format, text);
  }
  if (options.scatter) write_whole(options.prefix + ".scatter.svg", scatter_svg(report.set, clouds));
}

}  // namespace

int eval(const Eval& options) {
  const EvalSet set = load_eval_set(options);
  const Sources sources = load_sources(options, set);
  if (!options.log.empty()) log_opening(options, set, sources);
  const score::Judge judge(set.judged, options.ks);
  std::vector<score::Contestant> contestants;
  std::vector<Cloud> clouds;
  std::vector<DoubtReport> doubts;
  Arrays arrays;
  for (const NamedSource& source : sources) {
    Scores scores = checked_scores(source, set, 1);
    const std::size_t seed = add_seed(contestants, source.name, judge.judge(scores.score));
    if (seed == 0 && options.scatter) clouds.push_back(cloud_of(source.name, set.judged, scores.score));
    if (!scores.spread.empty()) add_doubt(doubts, source.name, claims_of(set.judged, scores));
    arrays.push_back(array_of(source.name, seed, std::move(scores.score)));
  }
  EvalReport report = begin_report(options, set, judge);
  report.doubts = std::move(doubts);
  for (const EvalPart& part : set.parts)
    report.parts.push_back(
        {part.name, part.tasks.size(), score::compare(judge, contestants, part.tasks)});
  if (options.partial) report.partial = judge_partial(set, judge, sources);
  write_exports(options, report, clouds, arrays);
  fmt::print("{}", options.json ? to_json(report) : to_text(report));
  return kDone;
}

}  // namespace hone::cli
