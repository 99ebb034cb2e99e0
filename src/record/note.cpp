#include "record/note.h"

#include <array>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/match.h"

namespace hone::record {
namespace {

constexpr std::string_view kSchema = "hone.run/1";
constexpr std::array<std::string_view, 4> kStates = {"running", "stopped", "done", "failed"};
constexpr std::int64_t kMaxInteger = 999'999'999'999'999'999;

// A number that is not known is left out, and stays unknown when it is not there.
void add_known(JsonObject& json, std::string_view name, double value) {
  if (!std::isnan(value)) json.add(name, value);
}

JsonObject fields_of(const Begin& begin) {
  return JsonObject()
      .add("schema", kSchema)
      .add("compiler", begin.compiler)
      .add("task", begin.task)
      .add("workload_key", begin.workload_key)
      .add("target", begin.target)
      .add("replay", begin.replay)
      .add("seed", std::to_string(begin.seed))  // 64 bits do not fit a number of JSON
      .add("time", begin.time);
}

JsonObject fields_of(const Computation& computation) {
  return JsonObject().add("workload_key", computation.workload_key).add("dag", computation.dag);
}

JsonObject fields_of(const TrialNote& trial) {
  JsonObject json;
  json.add("round", trial.round);
  add_known(json, "score", trial.score);
  json.add("build_s", trial.build_s).add("run_s", trial.run_s).add("at_s", trial.at_s);
  if (!trial.message.empty()) json.add("message", trial.message);
  return json;
}

JsonObject fields_of(const RoundNote& round) {
  JsonObject json;
  json.add("round", round.round).add("search_s", round.search_s).add("score_s", round.score_s);
  add_known(json, "rank_correlation", round.rank_correlation);
  add_known(json, "top1", round.top1);
  return json;
}

JsonObject fields_of(const End& end) {
  JsonObject json;
  json.add("state", to_string(end.state));
  add_known(json, "baseline_s", end.baseline_s);
  add_known(json, "best_s", end.best_s);
  return json;
}

// Reads the fields of an object by name; each overload takes one kind of value.
class Fields {
 public:
  Fields(JsonCursor& json, std::string_view name) : json_(json), name_(name) {}

  Fields& on(const char* name, std::string& value) {
    if (is(name)) value = json_.string(name);
    return *this;
  }
  Fields& on(const char* name, double& value) {
    if (is(name)) value = json_.number(name);
    return *this;
  }
  Fields& on(const char* name, int& value) {
    if (is(name)) value = static_cast<int>(json_.integer(0, std::numeric_limits<int>::max(), name));
    return *this;
  }
  Fields& on(const char* name, std::int64_t& value) {
    if (is(name)) value = json_.integer(0, kMaxInteger, name);
    return *this;
  }
  bool known() const { return known_; }

 private:
  bool is(const char* name) {
    known_ |= name_ == name;
    return name_ == name;
  }

  JsonCursor& json_;
  std::string_view name_;
  bool known_ = false;
};

Begin read_begin(JsonCursor& json) {
  Begin begin;
  std::string schema, seed = "0";
  json.object([&](std::string_view name) {
    return Fields(json, name)
        .on("schema", schema)
        .on("compiler", begin.compiler)
        .on("task", begin.task)
        .on("workload_key", begin.workload_key)
        .on("target", begin.target)
        .on("replay", begin.replay)
        .on("seed", seed)
        .on("time", begin.time)
        .known();
  });
  if (schema != kSchema) json.fail("another schema");
  begin.seed = std::stoull(seed);
  return begin;
}

Computation read_computation(JsonCursor& json) {
  Computation computation;
  json.object([&](std::string_view name) {
    return Fields(json, name)
        .on("workload_key", computation.workload_key)
        .on("dag", computation.dag)
        .known();
  });
  return computation;
}

TrialNote read_trial(JsonCursor& json) {
  TrialNote trial;
  json.object([&](std::string_view name) {
    return Fields(json, name)
        .on("round", trial.round)
        .on("score", trial.score)
        .on("build_s", trial.build_s)
        .on("run_s", trial.run_s)
        .on("at_s", trial.at_s)
        .on("message", trial.message)
        .known();
  });
  return trial;
}

RoundNote read_round(JsonCursor& json) {
  RoundNote round;
  json.object([&](std::string_view name) {
    return Fields(json, name)
        .on("round", round.round)
        .on("search_s", round.search_s)
        .on("score_s", round.score_s)
        .on("rank_correlation", round.rank_correlation)
        .on("top1", round.top1)
        .known();
  });
  return round;
}

End read_end(JsonCursor& json) {
  End end;
  std::string state;
  json.object([&](std::string_view name) {
    return Fields(json, name)
        .on("state", state)
        .on("baseline_s", end.baseline_s)
        .on("best_s", end.best_s)
        .known();
  });
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    if (kStates[i] == state) end.state = static_cast<RunState>(i);
  }
  return end;
}

std::optional<Note> read_note(JsonCursor& json) {
  std::optional<Note> note;
  json.object([&](std::string_view kind) {
    if (kind == "begin") note = read_begin(json);
    if (kind == "computation") note = read_computation(json);
    if (kind == "trial") note = read_trial(json);
    if (kind == "round") note = read_round(json);
    if (kind == "end") note = read_end(json);
    return note.has_value();
  });
  json.expect_end();
  return note;
}

}  // namespace

std::string_view to_string(RunState state) { return kStates.at(static_cast<std::size_t>(state)); }

std::string to_json(const Note& note) {
  const char* kind = match(
      note, [](const Begin&) { return "begin"; }, [](const Computation&) { return "computation"; },
      [](const TrialNote&) { return "trial"; }, [](const RoundNote&) { return "round"; },
      [](const End&) { return "end"; });
  return match(
      note, [&](const auto& one) { return JsonObject().add_json(kind, fields_of(one).text()).text(); });
}

std::optional<Note> note_from_line(std::string_view line) {
  if (!line.starts_with("# {")) return std::nullopt;
  JsonCursor json(line.substr(2));
  try {
    return read_note(json);
  } catch (const std::exception&) {  // also a number too large for its type
    return std::nullopt;
  }
}

std::optional<Computation> computation_from_line(std::string_view line) {
  if (!line.starts_with("# {\"computation\"")) return std::nullopt;
  std::optional<Note> note = note_from_line(line);
  if (!note) return std::nullopt;
  return std::get<Computation>(std::move(*note));
}

}  // namespace hone::record
