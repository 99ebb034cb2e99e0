#include "cli/set_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <sstream>

#include "base/error.h"

namespace hone::cli {
namespace {

struct Rows {
  std::string version;
  std::size_t columns = 0;
  bool is_of_tasks = false;
  std::span<const std::uint64_t> offsets;  // in rows
  std::span<const float> values;

  std::span<const float> of(std::size_t owner) const {
    return values.subspan(offsets[owner] * columns, (offsets[owner + 1] - offsets[owner]) * columns);
  }
};

[[noreturn]] void fail_misfit(const record::hds::File& set, const std::string& view) {
  throw UserError(fmt::format("the features `{}` of {} do not fit its programs", view, set.path()),
                  "add the features again with `hone dataset features`");
}

Rows read_rows(const record::hds::File& set, const std::string& view, std::size_t n_owners) {
  const std::string section = "feature." + view;
  if (!set.has(section + ".info"))
    throw UserError(fmt::format("{} has no features `{}`", set.path(), view),
                    fmt::format("add them with `hone dataset features SET --add {} -o NEW`", view));
  Rows rows{.version = {},
            .offsets = set.array<std::uint64_t>(section + ".offsets"),
            .values = set.array<float>(section + ".values")};
  std::istringstream info{std::string(set.text(section + ".info"))};
  std::string unit;
  info >> rows.version >> rows.columns >> unit;
  rows.is_of_tasks = unit == "task";
  if (!info || rows.columns == 0 || rows.offsets.empty() ||
      (n_owners > 0 && rows.offsets.size() != n_owners + 1) || !std::ranges::is_sorted(rows.offsets) ||
      rows.offsets.back() * rows.columns != rows.values.size())
    fail_misfit(set, view);
  if (rows.values.empty() && n_owners > 0)
    throw UserError(
        fmt::format("no program of {} has features `{}`", set.path(), view),
        "they are made from what tasks compute: import the logs with the DAGs of their tasks");
  return rows;
}

}  // namespace

std::vector<score::Sample> statement_samples(const record::hds::File& set,
                                             const std::vector<std::string>& task_views) {
  const auto task_of = set.array<std::uint32_t>("program.task");
  const std::size_t n_tasks = set.strings("task.key").size();
  const Rows statements = read_rows(set, "statements", task_of.size());
  std::vector<Rows> of_tasks;
  for (const std::string& view : task_views) of_tasks.push_back(read_rows(set, view, n_tasks));
  std::vector<score::Sample> samples(task_of.size());
  for (std::size_t program = 0; program < samples.size(); ++program) {
    score::Sample& sample = samples[program];
    const std::span<const float> rows = statements.of(program);
    sample.nodes.resize(rows.size() / statements.columns);
    std::iota(sample.nodes.begin(), sample.nodes.end(), 0);
    for (std::size_t at = 0; at < rows.size(); at += statements.columns) {
      sample.values.insert(sample.values.end(), rows.begin() + at,
                           rows.begin() + at + statements.columns);
      for (const Rows& of_task : of_tasks) {
        std::vector<float> row(of_task.columns);  // zeros where nothing is known of the task
        std::ranges::copy(of_task.of(task_of[program])
                              .first(std::min(of_task.of(task_of[program]).size(), row.size())),
                          row.begin());
        sample.values.insert(sample.values.end(), row.begin(), row.end());
      }
    }
  }
  return samples;
}

struct SetViews::View {
  std::string name;
  Rows rows;

  std::span<const float> of(std::size_t program, std::span<const std::uint32_t> task_of) const {
    return rows.of(rows.is_of_tasks ? task_of[program] : program);
  }
};

SetViews::SetViews(const record::hds::File& set, const std::vector<std::string>& names)
    : task_of_(set.array<std::uint32_t>("program.task")) {
  const std::size_t n_tasks = set.strings("task.key").size();
  for (const std::string& name : names) {
    View view{name, read_rows(set, name, 0)};
    if (view.rows.offsets.size() != (view.rows.is_of_tasks ? n_tasks : task_of_.size()) + 1)
      fail_misfit(set, name);
    views_.push_back(std::move(view));
  }
}

SetViews::~SetViews() = default;

bool SetViews::has(std::size_t program) const {
  return std::ranges::all_of(views_,
                             [&](const View& view) { return !view.of(program, task_of_).empty(); });
}

score::Sample SetViews::sample(std::size_t program) const {
  score::Sample sample;
  for (const View& view : views_) {
    const std::span<const float> rows = view.of(program, task_of_);
    sample.views.push_back({view.name, view.rows.columns, {rows.begin(), rows.end()}});
  }
  return sample;
}

void SetViews::append_row(std::size_t program, std::vector<float>& to) const {
  for (const View& view : views_) {
    const std::span<const float> row = view.of(program, task_of_).first(view.rows.columns);
    to.insert(to.end(), row.begin(), row.end());
  }
}

std::size_t SetViews::columns() const {
  std::size_t sum = 0;
  for (const View& view : views_) sum += view.rows.columns;
  return sum;
}

std::string feature_versions(const record::hds::File& set, const std::vector<std::string>& views) {
  std::string text;
  for (const std::string& view : views)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", view, read_rows(set, view, 0).version);
  return text;
}

}  // namespace hone::cli
