// `hone collect`: programs of many tasks, measured here, as a data set.
#include <fmt/format.h>
#include <signal.h>

#include <nlohmann/json.hpp>

#include "base/duration.h"
#include "base/error.h"
#include "cli/collect_display.h"
#include "cli/collect_tasks.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/interrupt.h"
#include "target/detect.h"
#include "tune/collect.h"

namespace hone::cli {
namespace {

void print_answer(const Collect& options, const tune::CollectProgress& progress) {
  fmt::print("{:<9} {} programs of {} tasks, {} failed, in {}\n", record::to_string(progress.state),
             progress.programs, progress.n_tasks, progress.failed, print_clock(progress.session_s));
  fmt::print("wrote     {}\n", options.output);
  if (progress.state == record::RunState::Stopped)
    fmt::print("next      the same command goes on from here\n");
  else
    fmt::print("next      hone dataset stats {}\n", options.output);
}

void print_json(const Collect& options, const tune::CollectProgress& progress) {
  fmt::print("{}\n", nlohmann::ordered_json{{"schema", "hone.collect/1"},
                                            {"state", record::to_string(progress.state)},
                                            {"set", options.output},
                                            {"tasks", progress.n_tasks},
                                            {"programs", progress.programs},
                                            {"resumed", progress.resumed},
                                            {"failed", progress.failed},
                                            {"seconds", progress.session_s}}
                         .dump());
}

}  // namespace

int collect(const Collect& options) {
  const Interrupt interrupt;
  signal(SIGXFSZ, SIG_IGN);  // a file that may not grow is an error to report, not a death
  const Show show = options.quiet || options.json ? Show::Nothing : default_show();
  CollectDisplay display(show);
  const tune::CollectListener listener = std::ref(display);
  tune::Collection collection(collect_tasks(options), options.run, listener, interrupt.asked());
  const tune::CollectProgress progress = collection.run();
  collection.write_set(options.output, this_machine(options));
  options.json ? print_json(options, progress) : print_answer(options, progress);
  return progress.state == record::RunState::Stopped ? kStopped : kDone;
}

}  // namespace hone::cli
