#include "record/database.h"

#include "base/json.h"
#include "base/match.h"
#include "record/run_log.h"
#include "schedule/step_json.h"

namespace hone::record {
namespace {

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS run (
  id INTEGER PRIMARY KEY, time INTEGER, compiler TEXT, seed TEXT, replay TEXT, state TEXT,
  baseline_s REAL, best_s REAL);
CREATE TABLE IF NOT EXISTS task (
  id INTEGER PRIMARY KEY, name TEXT, workload_key TEXT, target TEXT, UNIQUE (workload_key, target));
CREATE TABLE IF NOT EXISTS candidate (
  id INTEGER PRIMARY KEY, task INTEGER REFERENCES task, steps TEXT, UNIQUE (task, steps));
CREATE TABLE IF NOT EXISTS measurement (
  id INTEGER PRIMARY KEY, run INTEGER REFERENCES run, candidate INTEGER REFERENCES candidate,
  round INTEGER, score REAL, status INTEGER, best_s REAL, seconds TEXT, build_s REAL, run_s REAL,
  at_s REAL, message TEXT, time INTEGER);
CREATE TABLE IF NOT EXISTS scorer (
  id INTEGER PRIMARY KEY, run INTEGER REFERENCES run, round INTEGER, rank_correlation REAL, top1 REAL,
  search_s REAL, score_s REAL);
CREATE TABLE IF NOT EXISTS event (
  id INTEGER PRIMARY KEY, run INTEGER REFERENCES run, json TEXT);
)";
constexpr const char* kEmpty =
    "DELETE FROM event; DELETE FROM scorer; DELETE FROM measurement; DELETE FROM candidate; "
    "DELETE FROM task; DELETE FROM run;";

Sqlite with_tables(const std::string& path) {
  Sqlite sqlite(path);
  sqlite.write_ahead();
  sqlite.execute(kTables);
  return sqlite;
}

std::string seconds_json(const Record& record) {
  std::string text;
  append_json_list(text, record.costs, append_json_number);
  return text;
}

}  // namespace

Database::Database(const std::string& path)
    : sqlite_(with_tables(path)),
      insert_run_(sqlite_.prepare("INSERT INTO run VALUES (NULL, ?, ?, ?, ?, 'running', NULL, NULL)")),
      insert_task_(sqlite_.prepare("INSERT INTO task VALUES (NULL, ?, ?, ?)")),
      find_task_(sqlite_.prepare("SELECT id FROM task WHERE workload_key = ? AND target = ?")),
      insert_candidate_(sqlite_.prepare("INSERT INTO candidate VALUES (NULL, ?, ?)")),
      find_candidate_(sqlite_.prepare("SELECT id FROM candidate WHERE task = ? AND steps = ?")),
      insert_measurement_(
          sqlite_.prepare("INSERT INTO measurement VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")),
      insert_scorer_(sqlite_.prepare("INSERT INTO scorer VALUES (NULL, ?, ?, ?, ?, ?, ?)")),
      insert_event_(sqlite_.prepare("INSERT INTO event VALUES (NULL, ?, ?)")),
      end_run_(sqlite_.prepare("UPDATE run SET state = ?, baseline_s = ?, best_s = ? WHERE id = ?")) {}

void Database::rebuild(const std::string& log_path) {
  sqlite_.execute("BEGIN");
  sqlite_.execute(kEmpty);
  run_ = 0;
  LogVisitor visitor;
  visitor.on_note = [this](const Note& note) { add(note); };
  visitor.on_trial = [this](const Record& record, const TrialNote& note) { add(record, note); };
  visitor.on_problem = [](const Problem&) {};  // reported by whoever resumes the run
  visit_run_log(log_path, visitor);
  sqlite_.execute("COMMIT");
}

void Database::add(const Note& note) {
  match(
      note, [&](const Begin& begin) { add_begin(begin); }, [](const Computation&) {},
      [](const TrialNote&) {},  // arrives with its record
      [&](const RoundNote& round) { add_round(round); }, [&](const End& end) { add_end(end); });
  insert_event_.set(1, run_).set(2, to_json(note)).run();
}

void Database::add_begin(const Begin& begin) {
  insert_run_.set(1, begin.time).set(2, begin.compiler).set(3, std::to_string(begin.seed));
  insert_run_.set(4, begin.replay).run();
  run_ = sqlite_.last_id();
  task_name_ = begin.task;
}

void Database::add_round(const RoundNote& round) {
  insert_scorer_.set(1, run_).set(2, round.round).set(3, round.rank_correlation).set(4, round.top1);
  insert_scorer_.set(5, round.search_s).set(6, round.score_s).run();
}

void Database::add_end(const End& end) {
  end_run_.set(1, to_string(end.state)).set(2, end.baseline_s).set(3, end.best_s).set(4, run_).run();
}

std::int64_t Database::task_id(const Record& record) {
  const std::int64_t found = find_task_.set(1, record.workload_key).set(2, record.target).value();
  if (found >= 0) return found;
  insert_task_.set(1, task_name_).set(2, record.workload_key).set(3, record.target).run();
  return sqlite_.last_id();
}

std::int64_t Database::candidate_id(std::int64_t task, const Record& record) {
  const std::string steps = schedule::to_json(record.steps);
  const std::int64_t found = find_candidate_.set(1, task).set(2, steps).value();
  if (found >= 0) return found;
  insert_candidate_.set(1, task).set(2, steps).run();
  return sqlite_.last_id();
}

void Database::add(const Record& record, const TrialNote& note) {
  const std::int64_t candidate = candidate_id(task_id(record), record);
  insert_measurement_.set(1, run_).set(2, candidate).set(3, note.round).set(4, note.score);
  insert_measurement_.set(5, record.error).set(6, best_cost(record)).set(7, seconds_json(record));
  insert_measurement_.set(8, note.build_s).set(9, note.run_s).set(10, note.at_s);
  insert_measurement_.set(11, note.message).set(12, record.timestamp).run();
}

}  // namespace hone::record
