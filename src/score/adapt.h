// A scorer of hone's own kind that learned on other machines, brought to a new one by a few hundred
// labels: closed forms and a few trees, no gradient and no libtorch.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "score/dense.h"
#include "score/sample.h"
#include "score/scorer_file.h"

namespace hone::score {

// What was measured on the new machine. All of it is the budget: what chooses between the ways below is
// part of it.
struct Labelled {
  std::vector<Sample> samples;         // with all views that the network reads
  std::vector<std::uint32_t> task_of;  // of each, a number into `keys`
  std::vector<double> seconds;         // of each; not finite: it failed, and nothing is learned of it
  std::vector<std::string> keys;       // of the tasks
};

enum class Adaption : std::uint8_t {
  Frozen,     // the source as it is
  LastLayer,  // the last layer of every member, where leaving the source costs
  Distilled,  // the same towards two targets: the times, and with a weight that falls with the labels
              // what the source says (a re-implementation of TCL's distillation)
  Momentum,   // the same in rounds: each starts from a teacher that follows the student slowly (a
              // re-implementation of Pruner's momentum teacher)
  Trees,      // more trees on what those of the source leave unexplained
  Both,       // last layer and trees
};
const char* name_of(Adaption adaption);

struct AdaptOptions {
  std::vector<Adaption> ways = {Adaption::LastLayer, Adaption::Distilled, Adaption::Momentum,
                                Adaption::Trees, Adaption::Both};  // that are tried
  int folds = 4;  // of the tasks, to choose between the ways
  int threads = 1;
  std::uint64_t seed = 0;
};

// What a way was worth on tasks whose labels it had not seen.
struct AdaptTrial {
  Adaption way = Adaption::Frozen;
  double stiffness = 0;  // how much leaving the source cost, in labels; 0: it has none
  // Share of the differences of log time within a task that stand in order, fast programs counting
  // more.
  double order = 0;
  double top1 = 0;             // best time / time of the first pick, mean of tasks
  double gain = 0, doubt = 0;  // of order against the source: mean over tasks, and its standard error
};

struct AdaptResult {
  ScorerFile file;  // can be written with print_scorer
  AdaptTrial chosen;
  std::vector<AdaptTrial> trials;  // the source itself first
  bool is_source() const { return chosen.way == Adaption::Frozen; }
};

// The way with the best order whose gain is beyond its doubt; when there is none, the source as it is,
// which `is_source` says. Its doubt is scaled to what holds here. Labels are relative to the best
// labelled program of their task. The header names the tasks. UserError when the scorer is not of kind
// `hone` or samples lack a view.
AdaptResult adapt(const ScorerFile& source, const CompileDense& compile, const Labelled& labelled,
                  const AdaptOptions& options = {});

}  // namespace hone::score
