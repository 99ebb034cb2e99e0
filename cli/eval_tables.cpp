#include "cli/eval_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace hone::cli {
namespace {

using score::Estimate;
using score::Family;
using score::Metric;
using score::Standing;

struct Shown {
  std::vector<Family> families;  // side by side in one table
  const char* title;
  bool of_every_part;
};
const std::vector<Shown> kShown = {
    {{Family::Pooled}, "pooled top-k, all networks as one sum of times (TLP)", true},
    {{Family::Networks}, "top-k, mean of networks (TenSet)", false},
    {{Family::Tasks}, "top-k, mean of tasks", true},
    {{Family::Gap},
     "share of the gap between a random pick and 1 that is closed, mean of tasks",
     false},
    {{Family::Recall}, "share of the k fastest among the first k, mean of tasks", false},
    {{Family::FarOff, Family::Pairwise, Family::Rank}, "first picks and order", true},
};
const Shown kSearch = {
    {Family::Trials}, "trials to a share of the best recorded speed, geometric mean of tasks", true};

std::string column_name(const Metric& metric) {
  switch (metric.family) {
    case Family::FarOff:
      return fmt::format("tasks lost (> {:.0f}x)", score::kFarOff);
    case Family::Pairwise:
      return "pairs in order";
    case Family::Rank:
      return "rank correlation";
    case Family::Trials:
      return fmt::format("{} %", metric.k);
    case Family::Recall:
      return fmt::format("recall-{}", metric.k);
    default:
      return fmt::format("top-{}", metric.k);
  }
}

std::string cell(const Metric& metric, const Standing& standing, std::size_t at) {
  const bool counts = is_better_low(metric.family);
  const auto number = [&](double value) {
    return counts ? fmt::format("{:.1f}", value) : fmt::format("{:.3f}", value);
  };
  const Estimate& own = standing.estimates[at];
  return fmt::format("{}{} [{}, {}]{}", number(own.value),
                     standing.n_seeds > 1 ? " ± " + number(own.seed_deviation) : "", number(own.low),
                     number(own.high), contains_zero(standing.behind_best[at]) ? " *" : "");
}

Table table_of(const std::vector<Metric>& metrics, const std::vector<Standing>& standings,
               const Shown& shown, std::string title) {
  Table table{.title = std::move(title), .columns = {}, .rows = {}};
  for (const Standing& standing : standings) {
    table.rows.push_back({standing.n_seeds > 1
                              ? fmt::format("{} ({} seeds)", standing.name, standing.n_seeds)
                              : standing.name,
                          {}});
  }
  for (std::size_t at = 0; at < metrics.size(); ++at) {
    if (std::ranges::count(shown.families, metrics[at].family) == 0) continue;
    table.columns.push_back(column_name(metrics[at]));
    for (std::size_t i = 0; i < standings.size(); ++i)
      table.rows[i].cells.push_back(cell(metrics[at], standings[i], at));
  }
  return table;
}

// How order and recall grow with what is known of the programs: one column a share of the steps.
std::vector<Table> partial_tables(const EvalReport& report) {
  std::vector<Table> tables;
  for (std::size_t at = 0; at < report.metrics.size(); ++at) {
    const Metric& metric = report.metrics[at];
    if (report.partial.empty() ||
        (metric.family != Family::Pairwise && metric.family != Family::Recall))
      continue;
    Table table{.title = column_name(metric) + ", when so much of the steps is known",
                .columns = {},
                .rows = {}};
    for (const Standing& standing : report.partial.front().standings)
      table.rows.push_back({standing.name, {}});
    for (const PartialReport& partial : report.partial) {
      table.columns.push_back(fmt::format("{:.0f} %", 100 * partial.completion));
      for (std::size_t i = 0; i < table.rows.size(); ++i)
        table.rows[i].cells.push_back(fmt::format("{:.3f}", partial.standings[i].estimates[at].value));
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Table doubt_table(const std::vector<DoubtReport>& doubts) {
  Table table{.title =
                  "share of programs within the interval that should hold so many; error: mean "
                  "difference (expected calibration error)",
              .columns = {"error"},
              .rows = {}};
  for (const double level : score::kLevels)
    table.columns.push_back(fmt::format("{:.0f} %", 100 * level));
  for (const DoubtReport& doubt : doubts) {
    table.rows.push_back({doubt.name, {fmt::format("{:.3f}", doubt.error)}});
    for (const double share : doubt.coverage)
      table.rows.back().cells.push_back(fmt::format("{:.3f}", share));
  }
  return table;
}

}  // namespace

std::vector<Table> tables_of(const EvalReport& report) {
  std::vector<Shown> wanted = kShown;
  if (report.shows_search) wanted.push_back(kSearch);
  std::vector<Table> tables;
  for (const Shown& shown : wanted) {
    for (const PartReport& part : report.parts) {
      const bool is_all = &part == &report.parts.front();
      if (!is_all && !shown.of_every_part) continue;
      tables.push_back(
          table_of(report.metrics, part.standings, shown,
                   is_all ? shown.title
                          : fmt::format("{}; {} tasks of {}", shown.title, part.n_tasks, part.name)));
    }
  }
  if (!report.doubts.empty()) tables.push_back(doubt_table(report.doubts));
  for (Table& table : partial_tables(report)) tables.push_back(std::move(table));
  return tables;
}

}  // namespace hone::cli
