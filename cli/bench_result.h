// What was measured of artefacts, as plain data.
#pragma once
#include <string>
#include <vector>

#include "cli/samples.h"

namespace hone::cli {

struct StepTime {
  std::string label, kernel;
  double seconds, flop, bytes;  // of one execution
};

struct Profile {
  double whole_s = 0;  // mean of the executions in which the steps were timed
  std::vector<StepTime> steps;
};

struct BenchResult {
  std::string artefact;  // its file
  Samples samples;
  Profile profile;  // without steps unless it was asked for
};

struct Warning {
  std::string text, hint;
};

// How an artefact does beside an earlier result of it.
struct Comparison {
  std::string artefact;
  Ratio ratio;  // above 1: it takes longer now
  bool is_regression = false;
};

struct BenchReport {
  int threads = 1;
  std::vector<BenchResult> results;
  std::vector<Warning> warnings;
  std::string base;  // the file of the earlier results; empty: none
  std::vector<Comparison> comparisons;
};

}  // namespace hone::cli
