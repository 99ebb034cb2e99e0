// The fastest records of a user on a machine, over all runs: what was found for one model is where
// tuning of the next one begins. docs/formats/store.md has the tables.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "record/record.h"
#include "record/sqlite.h"
#include "task/task.h"

namespace hone::record {

// Any number of processes may use one file at once. Whatever goes wrong with it throws UserError;
// nothing depends on a store, so who meets that can go on without.
class Store {
 public:
  explicit Store(const std::string& path);  // created, with its folder, when there is none

  // Of a task, target and compiler the fastest few are kept. A candidate that was added before gets its
  // new time; a record without a time is not taken.
  void add(const task::Task& task, const Record& record, const std::string& compiler);

  // For this very task and target: those that this compiler built, fastest first, then those of others,
  // whose times do not count any more.
  std::vector<Record> best(const task::Task& task, const std::string& target,
                           const std::string& compiler, int limit) const;

  // The fastest for this very task and target that this compiler built: its time counts.
  std::optional<Record> proven(const task::Task& task, const std::string& target,
                               const std::string& compiler) const;

  // For tasks of the same structure and other sizes (task::likeness), the nearest first: of each its
  // first, as `best` has it.
  std::vector<Record> similar(const task::Task& task, const std::string& target,
                              const std::string& compiler, int limit) const;

 private:
  Sqlite sqlite_;
};

}  // namespace hone::record
