#include "record/import_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/gzip.h"
#include "base/json.h"
#include "base/split.h"
#include "record/line_reader.h"
#include "task/analysis.h"
#include "task/readable_key.h"
#include "task/text.h"

namespace hone::record {
namespace {

[[noreturn]] void refuse(const std::string& path, std::int64_t line, const std::string& reason) {
  throw UserError(fmt::format("{}:{}: {}", path, line, reason),
                  "docs/formats/dataset.md has the form of such files");
}

double number_in(const std::string& path, std::int64_t line, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0))
    refuse(path, line, fmt::format("`{}` is no number", text));
  return value;
}

// Where the columns stand that are asked for.
struct Columns {
  std::optional<std::size_t> key, network, weight, networks, flops;
};

Columns columns_of(const std::string& path, const std::vector<std::string>& names) {
  const auto find = [&](const char* name) -> std::optional<std::size_t> {
    const auto at = std::ranges::find(names, name);
    if (at == names.end()) return std::nullopt;
    return static_cast<std::size_t>(at - names.begin());
  };
  const Columns columns{find("workload_key"), find("network"), find("weight"), find("networks"),
                        find("flops")};
  if (!columns.key || !(columns.network || columns.networks))
    refuse(path, 1, "there is no column `workload_key`, or neither `network` nor `networks`");
  return columns;
}

struct NetworkFacts {
  std::string networks;
  double flops = 0;
};
using NetworkTable = std::map<std::string, NetworkFacts, std::less<>>;

// One line of the table.
void add_row(const std::string& path, std::int64_t line, const std::vector<std::string>& row,
             const Columns& columns, NetworkTable& table) {
  NetworkFacts& facts = table[row[*columns.key]];
  const auto add = [&](const std::string& name, double weight) {
    if (name.empty()) return;
    if (name.find_first_of(":;") != std::string::npos)
      refuse(path, line, fmt::format("the network's name `{}` has a colon or a semicolon", name));
    facts.networks += fmt::format("{}{}:{}", facts.networks.empty() ? "" : ";", name, weight);
  };
  if (columns.network)
    add(row[*columns.network], columns.weight ? number_in(path, line, row[*columns.weight]) : 1);
  else
    for (const std::string& name : split(row[*columns.networks], ',')) add(name, 1);
  if (columns.flops) facts.flops = number_in(path, line, row[*columns.flops]);
}

NetworkTable read_networks(const std::string& path) {
  NetworkTable table;
  LineReader lines(open_maybe_gzip(path));
  Line line;
  if (!lines.next(line)) refuse(path, 1, "the table is empty");
  const std::vector<std::string> names = split(line.text, '\t');
  const Columns columns = columns_of(path, names);
  while (lines.next(line)) {
    if (line.text.empty()) continue;
    const std::vector<std::string> row = split(line.text, '\t');
    if (row.size() != names.size())
      refuse(path, line.number, fmt::format("{} columns instead of {}", row.size(), names.size()));
    add_row(path, line.number, row, columns, table);
  }
  return table;
}

}  // namespace

Dags read_dags(const std::string& path) {
  Dags dags;
  LineReader lines(open_maybe_gzip(path));
  for (Line line; lines.next(line);) {
    if (line.text.empty()) continue;
    try {
      std::string key, dag;
      JsonCursor json(line.text);
      json.object([&](std::string_view name) {
        if (name == "workload_key") return key = json.string("workload key"), true;
        if (name == "dag") return dag = json.string("dag"), true;
        return false;
      });
      if (key.empty() || dag.empty()) throw UserError("workload_key or dag is missing");
      dags.emplace(std::move(key), std::move(dag));
    } catch (const UserError& error) {
      refuse(path, line.number, error.what());
    }
  }
  return dags;
}

void add_dags(const Dags& dags, const std::string& source, std::vector<DatasetTask>& tasks,
              const OnUnreadableDag& on_unreadable) {
  for (DatasetTask& task : tasks) {
    const auto at = dags.find(task.identity.key);
    if (at == dags.end()) continue;
    try {
      task.facts.flops = task::flop_count(task::parse(at->second, {task.identity.key, {}}));
      task.facts.dag = at->second;
    } catch (const UserError& error) {
      on_unreadable(source, fmt::format("the computation of {}: {}", task.identity.key, error.what()));
    }
  }
}

void add_readable_dags(std::vector<DatasetTask>& tasks, const OnUnreadableDag& on_unreadable) {
  for (DatasetTask& task : tasks) {
    if (task.identity.kind != ProgramKind::Steps || !task.facts.dag.empty()) continue;
    try {
      const std::optional<task::Task> known = task::from_readable_key(task.identity.key);
      if (!known) continue;
      task.facts.dag = task::print(*known);
      task.facts.flops = task::flop_count(*known);
    } catch (const UserError& error) {
      on_unreadable(task.identity.key, error.what());
    }
  }
}

void add_networks(const std::string& path, std::vector<DatasetTask>& tasks) {
  const NetworkTable table = read_networks(path);
  for (DatasetTask& task : tasks) {
    const auto at = table.find(task.identity.key);
    if (at == table.end()) continue;
    task.facts.networks = at->second.networks;
    if (at->second.flops > 0) task.facts.flops = at->second.flops;
  }
}

}  // namespace hone::record
