// Logs of others and of our own as a data set.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace hone::record {

struct ImportOptions {
  std::vector<std::string> logs;  // files, folders, archives
  std::string output;
  std::string machine;   // as machine_from takes it; empty: TenSet's folders say, or it is not known
  std::string dags;      // a file of computations (import_facts.h); empty: none
  std::string networks;  // a table of networks; empty: none
  bool is_one_machine = false;  // whatever numbers of cores its records state
  int threads = 1;
};

struct ImportProblem {
  std::string source;
  std::int64_t line;  // 0: all of it
  std::string reason;
};

struct ImportSummary {
  std::int64_t sources = 0;
  std::int64_t lines = 0;
  std::int64_t comments = 0;
  std::int64_t programs = 0, valid = 0;
  std::int64_t corrupt = 0;     // lines that cannot be read, and sources that end early
  std::int64_t misaligned = 0;  // programs in a file that is named after another task; they are kept
  std::int64_t tasks = 0, tasks_with_dag = 0, tasks_with_network = 0, tasks_with_machine = 0;
};

// Every line is counted as a comment, a program or corrupt; corrupt and misaligned ones are named to
// `on_problem`, source after source. Nothing depends on the number of threads. UserError when a path
// cannot be read or the set cannot be written.
ImportSummary import_logs(const ImportOptions& options,
                          const std::function<void(const ImportProblem& problem)>& on_problem);

}  // namespace hone::record
