// A run on disk: its log is the truth, everything else in the folder can be made from it again.
#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/error.h"
#include "record/database.h"
#include "record/run_log.h"
#include "record/writer.h"
#include "task/task.h"
#include "tune/options.h"

namespace hone::tune {

class RunFolder {
 public:
  // Makes the folder, or takes up the run that it holds; with `fresh` that run is deleted. UserError
  // when it cannot be written or another process tunes into it.
  RunFolder(const std::string& path, bool fresh);

  const std::string& path() const { return path_; }
  std::string file(const char* name) const { return path_ + "/" + name; }
  const record::RunLog& earlier() const { return earlier_; }  // what it held
  std::vector<std::string> unread() const;                    // lines of it that make no sense, and why
  const std::string& torn_line() const { return log_->torn_line(); }

  // To the log, and to the tables as long as those can be written.
  void append(const record::Note& note);
  void append(const record::Record& record, const record::TrialNote& note);
  // Unless the log has it already.
  void append_computation(const std::string& workload_key, const task::Task& task);
  // Why the tables are no longer written; empty when they are.
  const std::string& table_trouble() const { return table_trouble_; }
  void write(const char* name, std::string_view text) const;  // whole
  void say(std::string_view line);                            // a line of log.txt, with the time

 private:
  template <class... Line>
  void add_to_tables(const Line&... line);
  void give_up_tables(const UserError& error);

  std::string path_;
  Descriptor lock_;
  record::RunLog earlier_;
  std::unique_ptr<record::Writer> log_;
  std::unique_ptr<record::Database> database_;
  std::string table_trouble_;
};

inline constexpr const char* kRecordsFile = "records.jsonl";
inline constexpr const char* kDatabaseFile = "run.db";
inline constexpr const char* kOptionsFile = "run.toml";
inline constexpr const char* kSummaryFile = "summary.json";
inline constexpr const char* kTalkFile = "log.txt";

}  // namespace hone::tune
