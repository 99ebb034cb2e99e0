// Results of `hone bench` on artefacts, for people and for programs.
#pragma once
#include <string>

#include "cli/bench_result.h"

namespace hone::cli {

inline constexpr const char* kBenchSchema = "hone.bench_artefacts/1";

std::string to_text(const BenchReport& report);
std::string to_json(const BenchReport& report);
std::string to_csv(const BenchReport& report);       // a line an artefact
std::string to_markdown(const BenchReport& report);  // a table

// In the format that the file's name ends in: .json, .csv or .md. Throws UserError.
void export_report(const BenchReport& report, const std::string& file);
// What is wrong with the name of such a file; empty: nothing.
std::string export_problem(const std::string& file);

}  // namespace hone::cli
