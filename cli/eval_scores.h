// Where scores come from: models that are built in, trained files, arrays that others made.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/eval_set.h"
#include "cli/options.h"

namespace hone::cli {

// What a scorer says of every program of the set; of those that are not judged it may be anything.
struct Scores {
  std::vector<double> score;  // higher is faster
  // The log of latency / best of the task and its standard deviation; empty when it tells no doubt.
  std::vector<double> log_latency = {}, spread = {};
};

class ScoreSource {
 public:
  virtual ~ScoreSource() = default;
  // `completion` is the share of each program's steps that is known. Throws UserError when the set
  // lacks what the scorer needs.
  virtual Scores scores(const EvalSet& set, double completion) const = 0;
  virtual bool takes_partial() const { return true; }  // whether it can score a part of the steps
};

struct NamedSource {
  std::string name;  // those of one name are seeds of one kind
  std::string file;  // empty: built in
  std::unique_ptr<ScoreSource> source;
};

// What --scorer and --scores name, in that order; without any, the built-in ones. Throws UserError when
// a file is no such thing, or when its model was trained on a task of a test split.
std::vector<NamedSource> load_sources(const Eval& options, const EvalSet& set);

}  // namespace hone::cli
