#include "cli/transfer_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/duration.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_event(const Json& event) {
  fmt::print("{}\n", event.dump());
  std::fflush(stdout);
}

Json to_json(const score::Estimate& estimate) {
  return {{"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}};
}

std::string print(const score::Estimate& estimate, const char* value) {
  return fmt::format("{} [{:.3f}, {:.3f}]", fmt::format(fmt::runtime(value), estimate.value),
                     estimate.low, estimate.high);
}

}  // namespace

void TransferReport::began(const TransferStart& start) const {
  if (json_)
    return print_event({{"event", "start"},
                        {"schema", "hone.transfer/1"},
                        {"scorer", start.scorer},
                        {"hash", start.hash},
                        {"kind", start.kind},
                        {"machine", start.machine},
                        {"choose", start.choose},
                        {"programs", start.programs},
                        {"tasks", start.tasks},
                        {"seen_tasks", start.seen},
                        {"seconds", start.seconds}});
  if (quiet_) return;
  fmt::print(stderr, "scorer    {} ({}, {}), which learned from {} tasks\n", start.scorer, start.kind,
             start.hash, start.known_tasks);
  fmt::print(stderr, "machine   {}\n", start.machine);
  fmt::print(stderr, "measures  {} programs of {} tasks, chosen {}ly in {:.1f} s{}\n", start.programs,
             start.tasks, start.choose, start.seconds,
             start.seen == 0 ? "" : fmt::format("; it has learned from {} of these tasks", start.seen));
}

void TransferReport::judged(const std::optional<BeforeAfter>& judged) const {
  if (json_) {
    Json event = {{"event", "judged"}, {"tasks", judged ? judged->tasks : 0}};
    if (judged) {
      event["folds"] = judged->folds;
      for (const BeforeAfter::Row& row : judged->rows)
        event["metrics"][row.id] = {{"before", to_json(row.before)},
                                    {"after", to_json(row.after)},
                                    {"change", to_json(row.change)}};
    }
    return print_event(event);
  }
  if (!judged) {
    fmt::print(
        "judged    not at all: programs of two computations are needed, to learn from one of them\n");
    return;
  }
  fmt::print("judged    on {} tasks, each by a scorer adapted to the others, in {} parts\n\n",
             judged->tasks, judged->folds);
  fmt::print("{:<22}{:<24}{:<24}{}\n", "", "before", "after", "change");
  for (const BeforeAfter::Row& row : judged->rows)
    fmt::print("{:<22}{:<24}{:<24}{}\n", row.name, print(row.before, "{:.3f}"),
               print(row.after, "{:.3f}"), print(row.change, "{:+.3f}"));
  fmt::print("[95 % interval over draws of tasks]\n\n");
}

void TransferReport::ended(const TransferEnd& end) const {
  const tune::CollectProgress& measured = end.measured;
  if (json_)
    return print_event({{"event", "done"},
                        {"state", record::to_string(measured.state)},
                        {"file", end.scorer},
                        {"set", end.set},
                        {"programs", measured.programs},
                        {"resumed", measured.resumed},
                        {"failed", measured.failed},
                        {"adapted", end.is_adapted},
                        {"way", end.way},
                        {"seconds", end.seconds}});
  fmt::print("{:<9} {} programs of {} tasks measured, {} failed; {} in all\n",
             record::to_string(measured.state), measured.programs, measured.n_tasks, measured.failed,
             print_clock(end.seconds));
  fmt::print("adapted   {}\n", end.is_adapted
                                   ? end.way
                                   : "not: no way made it better on tasks held out, and it is "
                                     "written as it was");
  fmt::print("wrote     {}, and what was measured as {}\n", end.scorer, end.set);
  if (measured.state == record::RunState::Stopped)
    fmt::print("next      the same command measures the rest\n");
  else
    fmt::print("next      hone tune MODEL --scorer {}\n", end.scorer);
}

}  // namespace hone::cli
