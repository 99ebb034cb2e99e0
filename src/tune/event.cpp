#include "tune/event.h"

#include "base/json.h"
#include "base/json_object.h"
#include "base/match.h"

namespace hone::tune {
namespace {

JsonObject fields_of(const Started& started, const Progress& progress) {
  return JsonObject()
      .add("schema", "hone.tune/1")
      .add("event", "started")
      .add("task", started.task)
      .add("target", started.target)
      .add("compiler", started.compiler)
      .add("folder", started.folder)
      .add("scorer", started.scorer)
      .add("flop", started.flop)
      .add("starts", started.starts)
      .add("resumed", progress.resumed);
}

JsonObject fields_of(const TrialEnded& ended, const Progress& progress) {
  JsonObject json;
  json.add("event", "trial")
      .add("trial", ended.number)
      .add("round", ended.trial.round)
      .add("at_s", ended.trial.at_s)
      .add("status", worker::to_string(ended.trial.measurement.status))
      .add("seconds", ended.trial.best_s())
      .add("score", ended.trial.candidate.score)
      .add("best_s", progress.best_s)
      .add("is_best", ended.is_best);
  if (!ended.trial.is_ok()) json.add("message", ended.trial.measurement.message);
  return json;
}

JsonObject fields_of(const RoundEnded& ended, const Progress& progress) {
  return JsonObject()
      .add("event", "round")
      .add("round", ended.round.round)
      .add("trials", progress.trials)
      .add("best_s", progress.best_s)
      .add("rank_correlation", ended.round.rank_correlation)
      .add("top1", ended.round.top1)
      .add("search_s", progress.split.search_s)
      .add("score_s", progress.split.score_s)
      .add("build_s", progress.split.build_s)
      .add("run_s", progress.split.run_s);
}

}  // namespace

std::string to_json(const Event& event, const Progress& progress) {
  return match(
      event, [&](const Started& started) { return fields_of(started, progress).text(); },
      [&](const TrialEnded& ended) { return fields_of(ended, progress).text(); },
      [&](const RoundEnded& ended) { return fields_of(ended, progress).text(); },
      [&](const FinalsEnded& ended) {
        return JsonObject()
            .add("event", "finals")
            .add("finalists", ended.finals.finalists.size())
            .add("speedup", ended.finals.speedup())
            .add("drift", ended.finals.drift)
            .text();
      },
      [&](const Ended& ended) {
        return JsonObject().add("event", "ended").add_json("summary", to_json(ended.summary)).text();
      },
      [](const Noted& noted) {
        return JsonObject().add("event", "note").add("text", noted.text).text();
      },
      [](const Tick&) { return std::string(); });
}

}  // namespace hone::tune
