#include "benchmarks/search_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/file.h"

namespace hone::bench {
namespace {

template <class ShareAfter>
std::string print_shares(const ShareAfter& share_after) {
  std::string text;
  for (const int mark : kMarks) {
    const std::optional<double> share = share_after(mark);
    text += share ? fmt::format(" {:6.3f}", *share) : fmt::format(" {:>6}", "-");
  }
  return text;
}

void print(const CaseResult& result) {
  for (const Variant& variant : result.variants) {
    double seconds = 0, trials = 0;
    int failed = 0;
    for (const RunResult& run : variant.runs) {
      seconds += run.seconds;
      trials += run.trials;
      failed += run.failed;
    }
    fmt::print("{:<14} {:<12}{} |{}  {:9.2f} us {:6.1f} s {:6.1f} trials/s {:3} failed\n", result.name,
               variant.name, print_shares([&](int mark) { return variant.share_after(mark); }),
               print_shares([&](int mark) { return variant.random_share_after(mark); }),
               variant.best_us(), seconds, trials / seconds, failed);
  }
  std::fflush(stdout);
}

}  // namespace

nlohmann::ordered_json suite_line(const std::vector<CaseResult>& results) {
  std::set<std::string> names;
  for (const CaseResult& result : results)
    for (const Variant& variant : result.variants)
      if (!variant.name.ends_with(kScored)) names.insert(variant.name);
  nlohmann::ordered_json spaces;
  double after_16 = 1, after_100 = 1;
  int to_random = 0;
  bool reaches_random = true;
  for (const std::string& name : names) {
    const SuiteMarks marks = marks_of(results, name);
    spaces[name] = {{"after_16", marks.after_16},
                    {"after_100", marks.after_100},
                    {"to_random_1000", marks.to_random}};
    if (const ScorerMarks scored = scorer_marks_of(results, name); scored.after_32 > 0)
      spaces[name]["scorer"] = {{"after_32_of_trees_256", scored.after_32},
                                {"to_trees_256", scored.to_trees_256}};
    after_16 = std::min(after_16, marks.after_16);
    after_100 = std::min(after_100, marks.after_100);
    to_random = std::max(to_random, marks.to_random);
    reaches_random &= marks.to_random > 0;
  }
  return {{"after_16", after_16},
          {"after_100", after_100},
          {"to_random_1000", reaches_random ? to_random : 0},
          {"cases", results.size()},
          {"spaces", spaces}};
}

std::vector<CaseResult> read_results(const std::string& path) {
  std::vector<CaseResult> results;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const auto json = nlohmann::ordered_json::parse(line, nullptr, false);
    if (json.is_object() && json.contains("case")) results.push_back(case_from_json(json));
  }
  return results;
}

SearchReport::SearchReport(std::string path) : path_(std::move(path)), results_(read_results(path_)) {}

const CaseResult* SearchReport::find(const std::string& name) const {
  const auto found = std::ranges::find(results_, name, &CaseResult::name);
  return found == results_.end() ? nullptr : &*found;
}

void SearchReport::add(CaseResult result) {
  print(result);
  std::erase_if(results_, [&](const CaseResult& old) { return old.name == result.name; });
  results_.push_back(std::move(result));
  write();
}

void SearchReport::write() const {
  if (path_.empty()) return;
  std::string text;
  for (const CaseResult& result : results_) text += to_json(result).dump() + "\n";
  write_whole(path_, text + suite_line(results_).dump() + "\n");
}

void SearchReport::print_head() const {
  std::string marks;
  for (const int mark : kMarks) marks += fmt::format(" {:>6}", mark);
  fmt::print("share of the best known after so many trials: the default | random search\n");
  fmt::print("{:<14} {:<12}{} |{}\n", "case", "space", marks, marks);
}

void SearchReport::print_marks() const { fmt::print("{}\n", suite_line(results_).dump()); }

}  // namespace hone::bench
