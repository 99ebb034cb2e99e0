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
}

void RunFolder::append(const record::Note& note) { log_->append_header(record::to_json(note)); }

void RunFolder::append(const record::Record& record, const record::TrialNote& note) {
  log_->append(record, record::to_json(note));
}

void RunFolder::write(const char* name, std::string_view text) const { write_whole(file(name), text); }

void RunFolder::say(std::string_view line) {
  std::ofstream talk(file(kTalkFile), std::ios::app);
  talk << fmt::format("{:%F %T}  {}\n", fmt::localtime(std::time(nullptr)), line);
}

}  // namespace hone::tune
