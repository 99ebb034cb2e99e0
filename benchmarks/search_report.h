// The results of a suite: a table for people, and a file that later sessions go on from.
#pragma once
#include <string>
#include <vector>

#include "benchmarks/search_result.h"

namespace hone::bench {

class SearchReport {
 public:
  // Takes up what the file holds, where there is one; without a name nothing is written.
  explicit SearchReport(std::string path);

  const CaseResult* find(const std::string& name) const;  // null when it is not there
  void add(CaseResult result);                            // prints and writes; replaces an older one
  const std::vector<CaseResult>& results() const { return results_; }
  void print_head() const;
  void print_marks() const;

 private:
  void write() const;

  const std::string path_;
  std::vector<CaseResult> results_;
};

// The cases that a file holds; none when there is no such file.
std::vector<CaseResult> read_results(const std::string& path);

// The last line of the file: the marks of the space that does worse in each, then those of all.
nlohmann::ordered_json suite_line(const std::vector<CaseResult>& results);

}  // namespace hone::bench
