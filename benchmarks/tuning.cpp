#include "benchmarks/tuning.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

#include "base/error.h"

namespace hone::bench {
namespace {

class TemporaryFolder {
 public:
  TemporaryFolder() : path_((std::filesystem::temp_directory_path() / "hone-bench-XXXXXX").string()) {
    if (mkdtemp(path_.data()) == nullptr)
      throw UserError(fmt::format("cannot make a folder {}", path_),
                      "set TMPDIR to one that is writable");
  }
  ~TemporaryFolder() {
    std::error_code ignored;  // a folder left behind harms nobody
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

tune::Summary tune_once(tune::Parts parts, tune::Options options) {
  const TemporaryFolder folder;
  options.folder = folder.path();
  const std::string name = parts.task->name;
  const std::atomic<bool> never = false;
  tune::Summary summary = tune::run(std::move(parts), options, {}, never);
  if (!summary.has_answer())
    throw UserError(fmt::format("{}: none of {} trials gave a right answer", name, options.trials));
  return summary;
}

tune::Summary tune_once(const std::shared_ptr<const task::Task>& task, tune::Options options) {
  return tune_once(tune::make_parts(task, options), std::move(options));
}

const schedule::Steps& winner(const tune::Summary& summary) {
  const tune::Finals::Finalist* finalist = summary.finals ? summary.finals->winning() : nullptr;
  const int trial = finalist != nullptr ? finalist->trial : summary.progress.best_trial;
  return summary.trials.at(static_cast<std::size_t>(trial)).candidate.steps;
}

}  // namespace hone::bench
