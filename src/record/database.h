// A run as tables, for those who ask questions of it: dashboards, people with a database shell. All of
// it comes from the log and can be made from it again. docs/formats/run.md has the tables.
#pragma once
#include <map>
#include <string>

#include "record/note.h"
#include "record/record.h"
#include "record/sqlite.h"

namespace hone::record {

// One process writes, others may read meanwhile (SQLite's write-ahead log). Throws UserError when the
// file cannot be written.
class Database {
 public:
  explicit Database(const std::string& path);

  // Forgets everything and reads the log.
  void rebuild(const std::string& log_path);

  // The same lines in the same order as in the log.
  void add(const Note& note);
  void add(const Record& record, const TrialNote& note);

 private:
  void add_begin(const Begin& begin);
  void add_round(const RoundNote& round);
  void add_end(const End& end);
  std::int64_t task_id(const Record& record);
  std::int64_t candidate_id(std::int64_t task, const Record& record);

  Sqlite sqlite_;
  Sqlite::Statement insert_run_, insert_task_, find_task_, insert_candidate_, find_candidate_,
      insert_measurement_, insert_scorer_, insert_event_, end_run_;
  std::int64_t run_ = 0;   // the session that lines belong to; 0 before any began
  std::string task_name_;  // of that session
};

}  // namespace hone::record
