// What `hone explain` found, for people and for programs. docs/explain.md describes both.
#pragma once
#include <string>

#include "cli/explain_input.h"
#include "cli/explain_learned.h"
#include "tune/explain.h"

namespace hone::cli {

struct ExplainReport {
  std::string scorer;  // as the user named it
  const RecordedProgram& program;
  const tune::AnyScorer& model;
  const tune::Explanation& explanation;
  const Learned& learned;
  std::size_t top;  // rows of a table
};

// Whether a score is the time of the fastest program of the task / that of this one.
bool is_relative_speed(const tune::AnyScorer& scorer);

std::string explain_text(const ExplainReport& report, std::size_t width);  // of the terminal
std::string explain_json(const ExplainReport& report);

}  // namespace hone::cli
