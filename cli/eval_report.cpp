#include "cli/eval_report.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/eval_tables.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string head(const EvalReport& report) {
  std::string text = fmt::format("{}: {} programs of {} tasks; judged on {}", report.set,
                                 report.n_programs, report.n_tasks, report.judged_on);
  const char* separator = ": ";
  for (const PartReport& part : report.parts) {
    text += fmt::format("{}{}{}", separator, part.n_tasks,
                        separator[0] == ':' ? " tasks" : " of " + part.name);
    separator = ", ";
  }
  if (report.without_answer > 0)
    text += fmt::format("; {} left out because all of their programs failed", report.without_answer);
  return text + "\n";
}

// What a person sees: "±" is one letter and two bytes.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  return text + std::string(width - width_of(text), ' ');
}

std::string as_text(const Table& table) {
  std::vector<Table::Row> lines = {{"", table.columns}};
  lines.insert(lines.end(), table.rows.begin(), table.rows.end());
  std::vector<std::size_t> widths(table.columns.size() + 1);
  for (Table::Row& line : lines) {
    line.cells.insert(line.cells.begin(), line.name);
    for (std::size_t i = 0; i < widths.size(); ++i)
      widths[i] = std::max(widths[i], width_of(line.cells[i]));
  }
  std::string text = table.title + "\n";
  for (const Table::Row& line : lines) {
    std::string out;
    for (std::size_t i = 0; i < widths.size(); ++i) out += "  " + padded(line.cells[i], widths[i]);
    text += out.substr(0, out.find_last_not_of(' ') + 1) + "\n";
  }
  return text + "\n";
}

Json estimate_json(const score::Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

Json standings_json(const EvalReport& report, const std::vector<score::Standing>& standings) {
  Json all = Json::array();
  for (const score::Standing& standing : standings) {
    Json metrics = Json::array();
    for (std::size_t i = 0; i < report.metrics.size(); ++i) {
      Json one{{"metric", score::name_of(report.metrics[i].family)}};
      if (report.metrics[i].k > 0) one["k"] = report.metrics[i].k;
      one.update(estimate_json(standing.estimates[i]));
      one["seed_deviation"] = standing.estimates[i].seed_deviation;
      one["behind_best"] = estimate_json(standing.behind_best[i]);
      metrics.push_back(std::move(one));
    }
    all.push_back(
        {{"name", standing.name}, {"seeds", standing.n_seeds}, {"metrics", std::move(metrics)}});
  }
  return all;
}

// With quotes doubled, as readers of CSV expect them.
std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

}  // namespace

std::string to_text(const EvalReport& report) {
  std::string text = head(report) + "\n";
  for (const Table& table : tables_of(report)) text += as_text(table);
  return text + kLegend;
}

std::string to_json(const EvalReport& report) {
  Json json{{"schema", "hone.eval/1"},
            {"set", report.set},
            {"content_hash", report.content_hash},
            {"programs", report.n_programs},
            {"tasks", report.n_tasks},
            {"judged_on", report.judged_on},
            {"without_answer", report.without_answer},
            {"parts", Json::array()}};
  for (const PartReport& part : report.parts) {
    json["parts"].push_back({{"name", part.name},
                             {"tasks", part.n_tasks},
                             {"scorers", standings_json(report, part.standings)}});
  }
  for (const PartialReport& partial : report.partial) {
    json["partial"].push_back(
        {{"completion", partial.completion}, {"scorers", standings_json(report, partial.standings)}});
  }
  for (const DoubtReport& doubt : report.doubts) {
    json["doubts"].push_back({{"name", doubt.name},
                              {"seeds", doubt.n_seeds},
                              {"calibration_error", doubt.error},
                              {"levels", score::kLevels},
                              {"coverage", doubt.coverage}});
  }
  return json.dump() + "\n";
}

std::string to_csv(const EvalReport& report) {
  std::string text =
      "part,tasks,scorer,seeds,metric,k,value,low,high,seed_deviation,behind_best,behind_low,"
      "behind_high\n";
  for (const PartReport& part : report.parts) {
    for (const score::Standing& standing : part.standings) {
      for (std::size_t i = 0; i < report.metrics.size(); ++i) {
        const score::Estimate& own = standing.estimates[i];
        const score::Estimate& behind = standing.behind_best[i];
        text +=
            fmt::format("{},{},{},{},{},{},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g},{:.6g}\n",
                        quoted(part.name), part.n_tasks, quoted(standing.name), standing.n_seeds,
                        score::name_of(report.metrics[i].family), report.metrics[i].k, own.value,
                        own.low, own.high, own.seed_deviation, behind.value, behind.low, behind.high);
      }
    }
  }
  for (const DoubtReport& doubt : report.doubts) {
    text +=
        fmt::format("{},{},{},{},calibration_error,0,{:.6g},,,,,,\n", quoted(report.parts.front().name),
                    report.parts.front().n_tasks, quoted(doubt.name), doubt.n_seeds, doubt.error);
  }
  return text;
}

std::string to_markdown(const EvalReport& report) {
  std::string text = head(report);
  for (const Table& table : tables_of(report)) {
    text += fmt::format("\n**{}**\n\n| scorer | {} |\n|:---|", table.title,
                        fmt::join(table.columns, " | "));
    for (std::size_t i = 0; i < table.columns.size(); ++i) text += "---:|";
    text += "\n";
    for (const Table::Row& row : table.rows) {
      text += fmt::format("| {} | {} |\n", row.name, fmt::join(row.cells, " | "));
    }
  }
  return text + "\n" + kLegend;
}

}  // namespace hone::cli
