#include "cli/eval_folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"

namespace hone::cli {
namespace {

class FoldedSource final : public ScoreSource {
 public:
  FoldedSource(std::vector<TrainedSource> folds, std::vector<std::size_t> fold_of_task)
      : folds_(std::move(folds)), fold_of_task_(std::move(fold_of_task)) {}

  Scores scores(const EvalSet& set, double completion) const override {
    const std::size_t n_programs = set.data.n_programs();
    Scores all{std::vector<double>(n_programs), std::vector<double>(n_programs, NAN),
               std::vector<double>(n_programs)};
    bool tells_doubt = true;
    for (std::size_t fold = 0; fold < folds_.size(); ++fold) {
      EvalSet part = set;
      part.judged.tasks.clear();
      for (std::size_t i = 0; i < set.judged.tasks.size(); ++i) {
        if (fold_of_task_[i] == fold) part.judged.tasks.push_back(set.judged.tasks[i]);
      }
      const Scores scores = folds_[fold].source->scores(part, completion);
      tells_doubt = tells_doubt && !scores.spread.empty();
      for (const score::JudgedTask& task : part.judged.tasks) {
        for (const std::uint32_t program : task.programs) {
          all.score[program] = scores.score[program];
          if (!tells_doubt) continue;
          all.log_latency[program] = scores.log_latency[program];
          all.spread[program] = scores.spread[program];
        }
      }
    }
    if (!tells_doubt) all.log_latency = all.spread = {};
    return all;
  }

 private:
  std::vector<TrainedSource> folds_;
  std::vector<std::size_t> fold_of_task_;  // one a judged task
};

}  // namespace

std::unique_ptr<ScoreSource> folded_source(const std::string& name, std::vector<TrainedSource> folds,
                                           const EvalSet& set) {
  std::vector<std::set<std::string>> seen;
  for (const TrainedSource& fold : folds) seen.emplace_back(fold.tasks.begin(), fold.tasks.end());
  std::vector<std::size_t> fold_of_task;
  for (const std::string& key : set.judged_keys()) {
    const auto unseen =
        std::ranges::find_if(seen, [&](const auto& keys) { return !keys.contains(key); });
    if (unseen == seen.end())
      throw UserError(fmt::format("every fold of {} was trained on the task {}", name, key),
                      "train one with --fold K/N for each K, and name all of them");
    fold_of_task.push_back(static_cast<std::size_t>(unseen - seen.begin()));
  }
  return std::make_unique<FoldedSource>(std::move(folds), std::move(fold_of_task));
}

}  // namespace hone::cli
