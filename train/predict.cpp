#include "train/predict.h"

#include <set>
#include <sstream>

#include "base/error.h"
#include "train/loaded.h"
#include "train/network_file.h"

namespace hone::train {
namespace {

using Keys = std::set<std::string>;

// Of each program, which of the scorers has not seen its task.
std::vector<std::size_t> scorer_of_each(const DataSet& set, const std::vector<Keys>& seen) {
  std::vector<std::size_t> of_task;
  for (const Task& task : set.tasks) {
    std::size_t unseen = 0;
    while (unseen < seen.size() && seen[unseen].contains(task.key)) ++unseen;
    if (unseen == seen.size())
      throw UserError("every fold was trained on the task " + task.key,
                      "train one with --fold K/N for each K, and name all of them");
    of_task.push_back(unseen);
  }
  std::vector<std::size_t> of_program;
  for (const std::uint32_t task : set.task_of) of_program.push_back(of_task[task]);
  return of_program;
}

void put(const Said& part, const std::vector<Program>& programs, Said& all) {
  for (std::size_t i = 0; i < programs.size(); ++i) {
    all.score[programs[i]] = part.score[i];
    all.spread[programs[i]] = part.spread[i];
    all.valid[programs[i]] = part.valid[i];
  }
}

Said ask_folds(const std::vector<std::string>& scorers, const std::string& set,
               const std::string& device) {
  std::vector<Keys> seen;
  for (const std::string& scorer : scorers) {
    const std::vector<std::string> tasks = read_scorer(scorer).header.tasks;
    seen.emplace_back(tasks.begin(), tasks.end());
  }
  Said all;
  for (std::size_t fold = 0; fold < scorers.size(); ++fold) {
    const Loaded loaded = load(scorers[fold], set, device);
    const std::vector<std::size_t> scorer_of = scorer_of_each(loaded.set, seen);
    for (std::vector<double>* values : {&all.score, &all.spread, &all.valid})
      values->resize(loaded.programs.size());
    std::vector<Program> own;
    for (const Program program : loaded.programs)
      if (scorer_of[program] == fold) own.push_back(program);
    put(ask(*loaded.model, *loaded.features, own), own, all);
  }
  return all;
}

}  // namespace

void predict(const std::string& scorer, const std::string& set, const std::string& output,
             bool in_parts, const std::string& device) {
  std::vector<std::string> scorers;
  std::istringstream list(scorer);
  for (std::string file; std::getline(list, file, ',');) scorers.push_back(file);
  if (scorers.size() > 1) {
    write_scores(output, ask_folds(scorers, set, device), in_parts);
    return;
  }
  const Loaded loaded = load(scorer, set, device);
  write_scores(output, ask(*loaded.model, *loaded.features, loaded.programs), in_parts);
}

}  // namespace hone::train
