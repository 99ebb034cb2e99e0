#include "record/store.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/json.h"
#include "schedule/step_json.h"
#include "task/key.h"

namespace hone::record {
namespace {

constexpr int kVersion = 1;
constexpr int kKept = 8;  // of a task, target and compiler

constexpr const char* kTables = R"(
BEGIN IMMEDIATE;
CREATE TABLE IF NOT EXISTS winner (
  structure TEXT, sizes TEXT, target TEXT, compiler TEXT, steps TEXT, seconds REAL, record TEXT,
  PRIMARY KEY (structure, target, sizes, compiler, steps)) WITHOUT ROWID;
PRAGMA user_version = 1;
COMMIT;
)";
constexpr const char* kInsert = "INSERT OR REPLACE INTO winner VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
constexpr const char* kForgetSlow = R"(
DELETE FROM winner
WHERE structure = ?1 AND sizes = ?2 AND target = ?3 AND compiler = ?4 AND steps NOT IN (
  SELECT steps FROM winner WHERE structure = ?1 AND sizes = ?2 AND target = ?3 AND compiler = ?4
  ORDER BY seconds, steps LIMIT ?5))";
constexpr const char* kBest = R"(
SELECT record FROM winner WHERE structure = ?1 AND sizes = ?2 AND target = ?3
ORDER BY compiler = ?4 DESC, seconds, steps LIMIT ?5)";
constexpr const char* kProven = R"(
SELECT record FROM winner WHERE structure = ?1 AND sizes = ?2 AND target = ?3 AND compiler = ?4
ORDER BY seconds, steps LIMIT 1)";
constexpr const char* kSizes = "SELECT DISTINCT sizes FROM winner WHERE structure = ?1 AND target = ?2";

Sqlite open(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error) throw UserError(fmt::format("{}: {}", folder.string(), error.message()));
  Sqlite sqlite(path);
  const std::int64_t version = sqlite.prepare("PRAGMA user_version").value();
  if (version > kVersion)
    throw UserError(fmt::format("{} is of version {}, and this hone knows {}", path, version, kVersion),
                    "it is a newer hone's: set HONE_HOME to another folder for this one");
  sqlite.write_ahead();
  if (version < kVersion) sqlite.execute(kTables);
  return sqlite;
}

std::string to_text(const std::vector<std::int64_t>& sizes) {
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

std::vector<std::int64_t> sizes_from(const std::string& text, std::size_t count) {
  JsonCursor json(text);
  std::vector<std::int64_t> sizes;
  json.list([&] { sizes.push_back(json.integer(1, std::int64_t{1} << 40, "a size")); });
  if (sizes.size() != count)
    throw UserError(fmt::format("a stored task has {} sizes instead of {}", sizes.size(), count));
  return sizes;
}

std::vector<Record> best_of(const Sqlite& sqlite, const std::string& structure,
                            const std::string& sizes, const std::string& target,
                            const std::string& compiler, int limit) {
  std::vector<Record> records;
  sqlite.prepare(kBest)
      .set(1, structure)
      .set(2, sizes)
      .set(3, target)
      .set(4, compiler)
      .set(5, limit)
      .each([&](const Sqlite::Row& row) { records.push_back(from_line(row.text(0))); });
  return records;
}

}  // namespace

Store::Store(const std::string& path) : sqlite_(open(path)) {}

void Store::add(const task::Task& task, const Record& record, const std::string& compiler) {
  if (!is_valid(record)) return;
  const task::Likeness likeness = task::likeness(task);
  const std::string sizes = to_text(likeness.sizes);
  const auto bind = [&](Sqlite::Statement statement) {
    statement.set(1, likeness.structure).set(2, sizes).set(3, record.target).set(4, compiler);
    return statement;
  };
  bind(sqlite_.prepare(kInsert))
      .set(5, schedule::to_json(record.steps))
      .set(6, best_cost(record))
      .set(7, to_line(record))
      .run();
  bind(sqlite_.prepare(kForgetSlow)).set(5, kKept).run();
}

std::vector<Record> Store::best(const task::Task& task, const std::string& target,
                                const std::string& compiler, int limit) const {
  const task::Likeness likeness = task::likeness(task);
  return best_of(sqlite_, likeness.structure, to_text(likeness.sizes), target, compiler, limit);
}

std::optional<Record> Store::proven(const task::Task& task, const std::string& target,
                                    const std::string& compiler) const {
  const task::Likeness likeness = task::likeness(task);
  std::optional<Record> record;
  sqlite_.prepare(kProven)
      .set(1, likeness.structure)
      .set(2, to_text(likeness.sizes))
      .set(3, target)
      .set(4, compiler)
      .each([&](const Sqlite::Row& row) { record = from_line(row.text(0)); });
  return record;
}

std::vector<Record> Store::similar(const task::Task& task, const std::string& target,
                                   const std::string& compiler, int limit) const {
  const task::Likeness likeness = task::likeness(task);
  std::vector<std::pair<double, std::string>> others;
  sqlite_.prepare(kSizes).set(1, likeness.structure).set(2, target).each([&](const Sqlite::Row& row) {
    const double distance =
        task::distance(likeness.sizes, sizes_from(row.text(0), likeness.sizes.size()));
    if (distance > 0) others.emplace_back(distance, row.text(0));
  });
  std::ranges::sort(others);
  std::vector<Record> records;
  for (const auto& [distance, sizes] : others) {
    if (static_cast<int>(records.size()) >= limit) break;
    for (Record& record : best_of(sqlite_, likeness.structure, sizes, target, compiler, 1))
      records.push_back(std::move(record));
  }
  return records;
}

}  // namespace hone::record
