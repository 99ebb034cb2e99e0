// Pictures of an evaluation.
#pragma once
#include <string>
#include <vector>

#include "cli/eval_report.h"

namespace hone::cli {

// What a scorer says of judged programs, and how fast they are.
struct Cloud {
  std::string name;
  struct Dot {
    double measured;   // speed over that of the fastest program of the task
    double predicted;  // share of the task's programs that score lower
  };
  std::vector<Dot> dots;
};

std::string curves_svg(const EvalReport& report);  // how the metrics grow with k, and with completion
std::string scatter_svg(const std::string& title, const std::vector<Cloud>& clouds);

// Of judged programs, at most so many that a browser shows them without delay.
Cloud cloud_of(const std::string& name, const score::JudgedSet& judged,
               const std::vector<double>& all_scores);

}  // namespace hone::cli
