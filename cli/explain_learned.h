// What a scorer has learned from that is most like a program.
#pragma once
#include <string>
#include <vector>

#include "cli/explain_input.h"
#include "cli/options.h"
#include "tune/explain.h"

namespace hone::cli {

struct LearnedProgram {
  std::size_t number;  // in the set
  std::string task;    // its key
  std::string networks;
  double distance;
  double time_to_best;  // its time / that of the fastest of its task; NaN when it failed
  bool is_itself;       // the very program that is explained
};

struct LearnedTask {
  std::string key;
  double distance;  // each doubling of one size counts 1
};

struct Learned {
  std::vector<std::string> notes;  // how sure it is that the scorer has learned from these
  // From a set.
  std::vector<LearnedProgram> programs;
  bool is_by_hidden = false;
  double median_distance = 0;  // of all programs that were compared
  std::size_t compared = 0;
  // Without one: from the keys in the scorer's file, of the structure that the program's task has.
  std::vector<LearnedTask> tasks;
};

// Nothing of a scorer that never learned.
Learned learned_from(const Explain& options, const RecordedProgram& program,
                     const tune::Subject& subject, const tune::AnyScorer& scorer);

}  // namespace hone::cli
