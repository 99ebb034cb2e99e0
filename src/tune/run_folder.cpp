#include "tune/run_folder.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/file.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/file.h"
#include "task/text.h"

namespace hone::tune {
namespace {

namespace fs = std::filesystem;

Descriptor lock(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw UserError(fmt::format("cannot make the folder {}: {}", path, error.message()),
                    "choose another one with -o");
  }
  Descriptor folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid()) {
    throw UserError(fmt::format("cannot open the folder {}: {}", path, std::strerror(errno)),
                    "choose another one with -o");
  }
  if (flock(folder.get(), LOCK_EX | LOCK_NB) != 0) {
    throw UserError(fmt::format("another process tunes into {}", path),
                    "wait for its end, or choose another folder with -o");
  }
  return folder;
}

// With what SQLite keeps beside it.
void remove_database(const std::string& path) {
  for (const char* suffix : {"", "-wal", "-shm"}) {
    std::error_code ignored;  // what stays in the way is reported when it is opened
    fs::remove(path + "/" + kDatabaseFile + suffix, ignored);
  }
}

void remove_run(const std::string& path) {
  for (const char* name : {kRecordsFile, kOptionsFile, kSummaryFile, kTalkFile}) {
    fs::remove(path + "/" + name);
  }
}

}  // namespace

RunFolder::RunFolder(const std::string& path, bool fresh) : path_(path), lock_(lock(path)) {
  if (fresh) remove_run(path);
  log_ = std::make_unique<record::Writer>(file(kRecordsFile));
  earlier_ = record::read_run_log(file(kRecordsFile));
  try {
    // Always from the log: a session that was killed may have left less than that in the tables.
    remove_database(path);
    database_ = std::make_unique<record::Database>(file(kDatabaseFile));
    database_->rebuild(file(kRecordsFile));
  } catch (const UserError& error) {
    give_up_tables(error);
  }
}

void RunFolder::give_up_tables(const UserError& error) {
  database_.reset();
  table_trouble_ = error.what();
  say("tables are no longer written: " + table_trouble_);
}

// They are made of the log, so that nothing is lost without them.
template <class... Line>
void RunFolder::add_to_tables(const Line&... line) {
  try {
    if (database_ != nullptr) database_->add(line...);
  } catch (const UserError& error) {
    give_up_tables(error);
  }
}

void RunFolder::append(const record::Note& note) {
  log_->append_header(record::to_json(note));
  add_to_tables(note);
}

void RunFolder::append(const record::Record& record, const record::TrialNote& note) {
  log_->append(record, record::to_json(note));
  add_to_tables(record, note);
}

void RunFolder::append_computation(const std::string& workload_key, const task::Task& task) {
  if (earlier_.computations.insert(workload_key).second)
    append(record::Computation{workload_key, task::print_whole(task)});
}

std::vector<std::string> RunFolder::unread() const {
  std::vector<std::string> lines;
  for (const record::Problem& problem : earlier_.problems)
    lines.push_back(fmt::format("{}:{}: {}", kRecordsFile, problem.line, problem.reason));
  return lines;
}

void RunFolder::write(const char* name, std::string_view text) const { write_whole(file(name), text); }

void RunFolder::say(std::string_view line) {
  std::ofstream talk(file(kTalkFile), std::ios::app);
  talk << fmt::format("{:%F %T}  {}\n", fmt::localtime(std::time(nullptr)), line);
}

}  // namespace hone::tune
