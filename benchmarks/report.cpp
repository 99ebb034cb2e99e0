#include "benchmarks/report.h"

#include <fmt/format.h>

#include <iostream>

#include "base/error.h"

namespace hone::bench {

Report::Report(const std::string& path) {
  if (path.empty()) return;
  file_.open(path);
  if (!file_) throw UserError(fmt::format("cannot write `{}`", path), "is there such a folder?");
}

void Report::line(const std::string& json) {
  std::cout << json << std::endl;
  if (file_.is_open()) file_ << json << std::endl;
}

int run_program(const std::function<int()>& body) {
  try {
    return body();
  } catch (const UserError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    if (!error.hint().empty()) fmt::print(stderr, "\nhint: {}\n", error.hint());
    return 2;
  }
}

}  // namespace hone::bench
