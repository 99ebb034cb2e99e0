// What was measured of artefacts, as plain data.
#pragma once
#include <string>
#include <vector>

#include "cli/samples.h"

namespace hone::cli {

struct StepTime {
  std::string label, kernel;
  double seconds, flop, bytes;  // of one execution
  double alone_s = 0;           // that tuning measured of it; 0: it is not tuned
};

struct Profile {
  double whole_s = 0;  // mean of the executions in which the steps were timed
  std::vector<StepTime> steps;
  double peak_gflops = 0, bandwidth_gbs = 0;  // of the machine
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
