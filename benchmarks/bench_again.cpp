// The best programs of several runs of one operator, measured again in turn: which search found the
// faster ones. What a run measured by itself depends on the minute and on the core.
//   bench_again --op OP RUN... [--marks 16 100]
// Prints a line a run: its folder, then microseconds of its best after each mark (inf: none yet).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "base/error.h"
#include "benchmarks/best_so_far.h"
#include "benchmarks/report.h"
#include "task/catalogue.h"
#include "tune/parts.h"
#include "tune/run_folder.h"

namespace hone::bench {
namespace {

struct Options {
  std::string op;
  std::vector<std::string> runs;
  std::vector<int> marks = {4, 16, 64, 100};
};

std::vector<tune::Trial> trials_of(const std::string& folder) {
  std::vector<tune::Trial> trials;
  for (const record::LoggedTrial& logged :
       record::read_run_log(folder + "/" + tune::kRecordsFile).trials)
    trials.push_back(tune::trial_of(logged));
  if (std::ranges::none_of(trials, &tune::Trial::is_ok))
    throw UserError(folder + " has no trial with a right answer");
  return trials;
}

int bench_again(const Options& options) {
  std::vector<std::vector<tune::Trial>> runs;
  for (const std::string& folder : options.runs) runs.push_back(trials_of(folder));
  const auto task = std::make_shared<const task::Task>(task::from_op(options.op));
  tune::Options tuning;
  tuning.op = options.op;
  tuning.threads = 1;
  const tune::Parts parts = tune::make_parts(task, tuning);
  const std::vector<BestSoFar> curves = best_so_far(runs, *parts.meter);
  for (std::size_t i = 0; i < curves.size(); ++i) {
    fmt::print("{}", options.runs[i]);
    for (const int mark : options.marks) fmt::print(" {:.3f}", curves[i].after(mark));
    fmt::print("\n");
  }
  return 0;
}

}  // namespace
}  // namespace hone::bench

int main(int argc, char** argv) {
  hone::bench::Options options;
  CLI::App app("The best programs of several runs, measured again in turn");
  app.add_option("runs", options.runs, "Folders of runs of the operator")->required();
  app.add_option("--op", options.op, "What they search")->required();
  app.add_option("--marks", options.marks, "After how many trials they are compared");
  CLI11_PARSE(app, argc, argv);
  return hone::bench::run_program([&] { return hone::bench::bench_again(options); });
}
