// What benchmarks share with each other as programs: lines of JSON as results, errors as users see
// them.
#pragma once
#include <fstream>
#include <functional>
#include <string>

namespace hone::bench {

// Lines to stdout and, with a path, to that file as well. UserError when it cannot be written.
class Report {
 public:
  explicit Report(const std::string& path);
  void line(const std::string& json);

 private:
  std::ofstream file_;
};

// The exit code of a program that does `body`: its own, or 2 after a word about a user's mistake.
int run_program(const std::function<int()>& body);

}  // namespace hone::bench
