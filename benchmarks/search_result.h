// What came of searching one computation, as a line of JSON and as shares of the best that is known.
#pragma once
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "benchmarks/best_so_far.h"
#include "tune/summary.h"

namespace hone::bench {

struct RunResult {
  std::uint64_t seed = 1;
  int trials = 0;  // asked for; a small space may have held fewer
  int failed = 0;
  double seconds = 0;  // of the search, re-measurement not counted
  double trials_per_s = 0;
  BestSoFar curve;
};

RunResult run_result(const tune::Summary& summary);  // without a curve

// Searches of one computation in one way: in one space, or with something left out.
struct Variant {
  std::string name;
  std::vector<RunResult> runs;      // one a seed
  std::optional<RunResult> random;  // of random search beside them, which nothing guides
  double best_known_us = 0;         // what shares are of

  double best_us() const;  // of its own
  // Speed after so many trials over that of the best known, geometric mean over the seeds; nothing when
  // the runs were shorter.
  std::optional<double> share_after(int trials) const;
  std::optional<double> random_share_after(int trials) const;
};

struct CaseResult {
  std::string name, op;
  std::vector<Variant> variants;
};

nlohmann::ordered_json to_json(const CaseResult& result);
CaseResult case_from_json(const nlohmann::ordered_json& line);

// What a suite is judged by, in one space.
struct SuiteMarks {
  double after_16 = 0, after_100 = 0;  // shares of the best known, geometric means
  // The least number of trials at which the default stands at 99 % of all that random search found, in
  // the geometric mean over the cases where that was searched; 0 when it never does.
  int to_random = 0;
};
SuiteMarks marks_of(const std::vector<CaseResult>& cases, const std::string& variant);

// A search that a trained scorer guides, beside the same one with trees that begin from nothing.
inline const std::string kScored = "+scorer";  // behind the name of the variant
struct ScorerMarks {
  double after_32 = 0;   // speed after 32 trials over what the trees had after 256, geometric mean
  int to_trees_256 = 0;  // trials until it stands at 99 % of that; 0 when it never does
};
ScorerMarks scorer_marks_of(const std::vector<CaseResult>& cases, const std::string& variant);

double geomean(const std::vector<double>& values);

}  // namespace hone::bench
