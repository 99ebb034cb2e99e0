// What `hone eval` found, as text, JSON, CSV and Markdown.
#pragma once
#include <string>
#include <vector>

#include "score/comparison.h"
#include "score/coverage.h"

namespace hone::cli {

struct PartReport {
  std::string name;
  std::size_t n_tasks = 0;
  std::vector<score::Standing> standings;
};

// Where scorers stand when so much of every program's steps is known.
struct PartialReport {
  double completion = 1;
  std::vector<score::Standing> standings;
};

// How often what a scorer says of its doubt holds.
struct DoubtReport {
  std::string name;
  std::size_t n_seeds = 0;
  double error = 0;              // expected calibration error
  std::vector<double> coverage;  // one a level of score::kLevels
};

struct EvalReport {
  std::string set, content_hash;
  std::size_t n_programs = 0, n_tasks = 0;  // of the set
  std::string judged_on;
  std::size_t without_answer = 0;  // tasks that were left out because all of their programs failed
  std::vector<score::Metric> metrics;
  std::vector<PartReport> parts;  // all tasks first
  std::vector<PartialReport> partial;
  std::vector<DoubtReport> doubts;  // of those that tell any
  bool shows_search = false;
};

std::string to_text(const EvalReport& report);
std::string to_json(const EvalReport& report);  // schema hone.eval/1
std::string to_csv(const EvalReport& report);
std::string to_markdown(const EvalReport& report);

}  // namespace hone::cli
