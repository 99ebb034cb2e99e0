#include "tune/network_progress.h"

#include "base/json.h"
#include "base/json_object.h"
#include "base/match.h"

namespace hone::tune {
namespace {

template <class List, class Print>
std::string list_of(const List& list, const Print& print) {
  std::string text;
  append_json_list(text, list, [&](std::string& out, const auto& one) { out += print(one); });
  return text;
}

std::string to_json(const ChoiceState& state) {
  return JsonObject()
      .add("name", state.name)
      .add("uses", state.uses)
      .add("flop", state.flop)
      .add("trials", state.trials)
      .add("untuned_s", state.untuned_s)
      .add("best_s", state.best_s)
      .add("algorithm", state.algorithm)
      .text();
}

std::string to_json(const TunedNetwork& network) {
  return JsonObject()
      .add("name", network.name)
      .add("flop", network.flop)
      .add("untuned_s", network.untuned_s)
      .add("tuned_s", network.tuned_s)
      .add("drift", network.drift)
      .add("error", network.error)
      .add("artefact", network.artefact)
      .add("size_bytes", network.size_bytes)
      .add("memory_bytes", network.memory_bytes)
      .add("tuned", network.tuned)
      .add("choices", network.choices)
      .add("ranked", network.ranked)
      .text();
}

std::string to_json(const NetworkStarted& started) {
  return JsonObject()
      .add("schema", "hone.tune/1")
      .add("event", "started")
      .add("networks", started.networks)
      .add("flop", started.flop)
      .add("tasks", started.tasks)
      .add("operators", started.operators)
      .add("machine", started.machine)
      .add("folder", started.folder)
      .add("scorer", started.scorer)
      .text();
}

std::string to_json(const NetworkTrialEnded& ended, const NetworkProgress& progress) {
  JsonObject json;
  json.add("event", "trial")
      .add("trial", progress.all.trials - 1)
      .add("task", progress.current)
      .add("at_s", ended.trial.at_s)
      .add("status", worker::to_string(ended.trial.measurement.status))
      .add("seconds", ended.trial.best_s())
      .add("score", ended.trial.candidate.score)
      .add("best_s", progress.all.best_s)
      .add("is_best", ended.is_best);
  if (!ended.trial.is_ok()) json.add("message", ended.trial.measurement.message);
  return json.text();
}

}  // namespace

std::string to_json(const NetworkEvent& event, const NetworkProgress& progress) {
  return match(
      event, [](const NetworkStarted& started) { return to_json(started); },
      [&](const NetworkTrialEnded& ended) { return to_json(ended, progress); },
      [](const NetworksMeasured& measured) {
        return JsonObject().add("event", measured.what).add("seconds", measured.seconds).text();
      },
      [](const NetworkEnded& ended) {
        return JsonObject().add("event", "ended").add_json("summary", to_json(ended.summary)).text();
      },
      [](const Noted& noted) {
        return JsonObject().add("event", "note").add("text", noted.text).text();
      },
      [](const Tick&) { return std::string(); });
}

std::string to_json(const NetworkSummary& summary) {
  const auto print_network = [](const TunedNetwork& one) { return to_json(one); };
  const auto print_choice = [](const ChoiceState& one) { return to_json(one); };
  return JsonObject()
      .add("schema", "hone.network/1")
      .add("state", record::to_string(summary.state))
      .add("target", summary.target)
      .add("compiler", summary.compiler)
      .add("scorer", scorer_name(summary.options.run))
      .add("seed", std::to_string(summary.options.run.seed))
      .add("threads", summary.options.run.threads)
      .add("trials", summary.progress.all.trials)
      .add("resumed", summary.progress.all.resumed)
      .add("failed", summary.progress.all.failed())
      .add("seconds", summary.progress.all.at_s)
      .add_json("split", to_json(summary.progress.all.split))
      .add_json("failures", failures_json(summary.progress.all))
      .add_json("networks", list_of(summary.networks, print_network))
      .add_json("tasks", list_of(summary.progress.choices, print_choice))
      .text();
}

}  // namespace hone::tune
