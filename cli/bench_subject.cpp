#include "cli/bench_subject.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/clock.h"
#include "cli/artefact_file.h"
#include "codegen/peak.h"
#include "measure/bandwidth.h"

namespace hone::cli {
namespace {

using Json = nlohmann::json;

constexpr int kFewestRuns = 10;
constexpr int kBlock = 5;  // runs of one artefact between those of the others

struct StepFacts {
  double calls = 1;
  double bytes = 0;    // that one call reads and writes
  double alone_s = 0;  // of all calls
};

// What the API does not tell of a step: how often it runs (the manifest has the loops), what it moves
// without the gaps between rows, and the time in the record that its kernel comes from.
std::vector<StepFacts> facts_of(const artefact::Session& session, const std::string& records) {
  std::vector<double> record_s;
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) {
    const Json times = Json::parse(line).at("r").at(0);
    record_s.push_back(std::ranges::min(times.get<std::vector<double>>()));
  }
  const std::vector<artefact::StepInfo> told = session.steps();
  std::vector<StepFacts> facts(told.size());
  const Json manifest = Json::parse(session.about().manifest);
  for (const Json& variant : manifest["variants"]) {
    if (variant["target"] != session.about().target) continue;
    const Json& steps = variant["steps"];
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].contains("trips")) {
        const auto body = steps[i]["steps"].get<std::size_t>();
        for (std::size_t k = 1; k <= body; ++k) facts[i + k].calls = steps[i]["trips"].get<double>();
      }
      facts[i].bytes = steps[i].value("bytes", static_cast<double>(told[i].bytes));
      if (!steps[i].contains("kernel")) continue;
      const Json& kernel = variant["kernels"][steps[i]["kernel"].get<std::size_t>()];
      if (kernel.contains("record"))
        facts[i].alone_s = facts[i].calls * record_s.at(kernel["record"].get<std::size_t>() - 1);
    }
  }
  return facts;
}

}  // namespace

Subject::Subject(const std::string& file, int threads)
    : file_(file), session_(open_artefact(file, threads)), tensors_(session_) {}

void Subject::time() {
  const double start = now_s();
  run();
  samples_.seconds.push_back(now_s() - start);
}

Profile Subject::profile(int runs) {
  std::vector<std::int64_t> step_ns(session_.about().steps, 0);
  const double start = now_s();
  for (int i = 0; i < runs; ++i) tensors_.run(session_, step_ns.data());
  Profile profile;
  profile.whole_s = (now_s() - start) / runs;
  const std::vector<artefact::StepInfo> steps = session_.steps();
  const std::vector<StepFacts> facts = facts_of(session_, artefact::read_contents(file_).records);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    profile.steps.push_back({.label = steps[i].label,
                             .kernel = steps[i].kernel,
                             .seconds = static_cast<double>(step_ns[i]) * 1e-9 / runs,
                             .flop = steps[i].flop * facts[i].calls,
                             .bytes = facts[i].bytes * facts[i].calls,
                             .alone_s = facts[i].alone_s});
  }
  const target::Target target = target::host();
  profile.peak_gflops = codegen::measured_peak_gflops(target, hone_threads());
  profile.bandwidth_gbs = measure::measured_bandwidth_gbs(target, hone_threads());
  return profile;
}

// A block begins with a run that does not count: the others have taken the caches.
void time_in_turns(std::vector<Subject>& subjects, const BenchTiming& timing) {
  for (Subject& subject : subjects) {
    for (int i = 0; i < timing.warmup; ++i) subject.run();
  }
  const double start = now_s();
  const auto is_enough = [&] {
    const int runs = static_cast<int>(subjects[0].samples().seconds.size());
    if (timing.runs > 0) return runs >= timing.runs;
    return runs >= kFewestRuns &&
           now_s() - start >= timing.min_time_s * static_cast<double>(subjects.size());
  };
  while (!is_enough()) {
    const int done = static_cast<int>(subjects[0].samples().seconds.size());
    const int block = timing.runs > 0 ? std::min(kBlock, timing.runs - done) : kBlock;
    for (Subject& subject : subjects) {
      if (subjects.size() > 1) subject.run();
      for (int i = 0; i < block; ++i) subject.time();
    }
  }
}

}  // namespace hone::cli
