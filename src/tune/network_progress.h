// How far the tuning of networks is, and what it came to.
#pragma once
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "tune/event.h"
#include "tune/network_options.h"
#include "tune/progress.h"

namespace hone::tune {

// A row of the table that people see: one choice of the plan.
struct ChoiceState {
  std::string name;                                         // the operators and the shape of the result
  double uses = 0;                                          // in all networks together
  double flop = 0;                                          // of one use, worked out directly
  int trials = 0;                                           // on all alternatives
  double untuned_s = record::kNone;                         // of one use, in the network
  double best_s = std::numeric_limits<double>::infinity();  // of one use, alone
  std::string algorithm = {};                               // of the best
};

struct NetworkProgress {
  // Its baseline is the measured latency of what hone emits untuned, its best what follows from the
  // best trials of all tasks; both summed over the networks.
  Progress all;
  std::vector<ChoiceState> choices;
  int current = -1;  // the choice that is being measured
};

// The end of one network.
struct TunedNetwork {
  std::string name;
  double flop = 0;
  double untuned_s = 0, tuned_s = 0;  // measured in turn at the end
  double drift = record::kNone;       // untuned at the end over untuned at the beginning, less one
  double error = 0;                   // of the outputs, tuned against untuned: max |a - b| / max |b|
  std::string artefact;
  std::uint64_t size_bytes = 0;    // of the artefact
  std::uint64_t memory_bytes = 0;  // that an execution takes: weights and arena
  int tuned = 0, choices = 0;      // how many of its choices use a schedule that was measured
  int ranked = 0;                  // or one that was chosen without a trial
};

struct NetworkSummary {
  record::RunState state = record::RunState::Running;
  std::string target, compiler;
  NetworkOptions options;
  NetworkProgress progress;
  std::vector<TunedNetwork> networks;
  int stale = 0;  // trials in the log that another compiler or target made
};

struct NetworkStarted {
  std::vector<std::string> networks = {};
  std::vector<double> flop = {};
  std::size_t tasks = 0, operators = 0;  // distinct ones, and all that are run
  std::string machine, folder;
  std::string scorer;   // as in Started
  std::string dropped;  // as in Started
  int stale = 0;
  std::vector<std::string> unread = {};
};
struct NetworkTrialEnded {
  const Trial& trial;
  bool is_best = false;  // of its choice
};
// The untuned networks are measured, or the winners.
struct NetworksMeasured {
  const char* what;
  std::vector<double> seconds;
};
struct NetworkEnded {
  const NetworkSummary& summary;
};

using NetworkEvent =
    std::variant<NetworkStarted, NetworksMeasured, NetworkTrialEnded, NetworkEnded, Noted, Tick>;
// Called on the thread that called tune().
using NetworkListener = std::function<void(const NetworkEvent& event, const NetworkProgress& progress)>;

std::string to_json(const NetworkEvent& event,
                    const NetworkProgress& progress);  // schema hone.tune/1; empty for a tick
std::string to_json(const NetworkSummary& summary);    // schema hone.network/1, one line

}  // namespace hone::tune
