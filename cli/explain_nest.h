// The loop nest of a program with what a scorer thinks of its parts beside the loops.
#pragma once
#include <string>
#include <vector>

#include "schedule/nest_lines.h"
#include "tune/explain.h"

namespace hone::cli {

struct ExplainedLine {
  std::string text;
  int stage;                                   // -1: of no stage
  std::vector<tune::ExplainedAspect> aspects;  // largest share first
};

// Vectors, unrolling and threads stand beside the loops that are such, of the stage or around it; what
// is of no loop beside the statement, and what is of the whole program behind all lines.
std::vector<ExplainedLine> explained_nest(const tune::Explanation& explanation);

}  // namespace hone::cli
