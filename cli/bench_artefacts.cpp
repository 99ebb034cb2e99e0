#include "cli/bench_artefacts.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "base/clock.h"
#include "cli/artefact_file.h"
#include "cli/exit_code.h"
#include "cli/samples.h"

namespace hone::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kFewestRuns = 10;
constexpr int kBlock = 5;  // runs of one artefact between those of the others

// An artefact with memory for its inputs and outputs, and what was measured of it.
class Subject {
 public:
  Subject(const std::string& file, int threads) : file_(file), session_(open_artefact(file, threads)) {
    for (const artefact::TensorInfo& info : session_.inputs()) {
      inputs_.push_back(random_input(info, inputs_.size()));
      in_.push_back({inputs_.back().bytes().data(), inputs_.back().bytes().size()});
    }
    for (const artefact::TensorInfo& info : session_.outputs()) {
      outputs_.push_back(model::Tensor::zeros(info.type, info.shape));
      const std::span<std::byte> memory = outputs_.back().writable();
      out_.push_back({memory.data(), memory.size()});
    }
  }

  const std::string& file() const { return file_; }
  const artefact::Session& session() const { return session_; }
  const Samples& samples() const { return samples_; }

  void run() { session_.run(in_, out_); }
  void time() {
    const double start = now_s();
    run();
    samples_.seconds.push_back(now_s() - start);
  }
  // Seconds of each step, the mean over so many executions.
  std::vector<double> profile(int runs) {
    std::vector<std::int64_t> step_ns(session_.about().steps, 0);
    for (int i = 0; i < runs; ++i) session_.run(in_, out_, step_ns.data());
    std::vector<double> seconds;
    for (const std::int64_t ns : step_ns)
      seconds.push_back(static_cast<double>(ns) * 1e-9 / static_cast<double>(runs));
    return seconds;
  }

 private:
  std::string file_;
  artefact::Session session_;
  std::vector<model::Tensor> inputs_, outputs_;
  std::vector<hone_in> in_;
  std::vector<hone_out> out_;
  Samples samples_;
};

// In turns, so that what the machine does meanwhile meets all of them. A block begins with a run that
// does not count: the others have taken the caches.
void measure(std::vector<Subject>& subjects, const BenchTiming& timing) {
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
      subject.run();
      for (int i = 0; i < block; ++i) subject.time();
    }
  }
}

struct StepTime {
  artefact::StepInfo info;
  double seconds, flop;  // of one execution
};

// How often each step runs: the API tells a step's figures for one call, the manifest has the loops.
std::vector<double> calls_of(const artefact::Session& session) {
  const Json manifest = Json::parse(session.about().manifest);
  for (const Json& variant : manifest["variants"]) {
    if (variant["target"] != session.about().target) continue;
    const Json& steps = variant["steps"];
    std::vector<double> calls(steps.size(), 1);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (!steps[i].contains("trips")) continue;
      const auto body = steps[i]["steps"].get<std::size_t>();
      for (std::size_t k = 1; k <= body; ++k) calls[i + k] = steps[i]["trips"].get<double>();
    }
    return calls;
  }
  return std::vector<double>(session.about().steps, 1);
}

std::vector<StepTime> profile_of(Subject& subject) {
  const std::vector<artefact::StepInfo> steps = subject.session().steps();
  const std::vector<double> calls = calls_of(subject.session());
  const std::vector<double> seconds =
      subject.profile(std::max(kFewestRuns, static_cast<int>(subject.samples().seconds.size()) / 4));
  std::vector<StepTime> times;
  for (std::size_t i = 0; i < steps.size(); ++i)
    times.push_back({steps[i], seconds[i], steps[i].flop * calls[i]});
  return times;
}

std::string shortened(const std::string& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

void print_profile(Subject& subject) {
  std::vector<StepTime> times = profile_of(subject);
  const double sum = std::accumulate(times.begin(), times.end(), 0.0,
                                     [](double s, const StepTime& t) { return s + t.seconds; });
  const double whole = subject.samples().mean();
  std::ranges::stable_sort(times, std::ranges::greater(), &StepTime::seconds);
  fmt::print("\n{}\n{:>10} {:>6} {:>8}  {:<40} {}\n", subject.file(), "ms", "share", "GFLOP/s",
             "kernel", "nodes");
  for (const StepTime& time : times) {
    const std::string rate =
        time.flop > 0 ? fmt::format("{:.1f}", time.flop / time.seconds * 1e-9) : "";
    fmt::print("{:>10.4f} {:>5.1f}% {:>8}  {:<40} {}\n", time.seconds * 1e3, time.seconds / whole * 100,
               rate, shortened(time.info.kernel, 40), shortened(time.info.label, 60));
  }
  fmt::print("{:>10.4f} {:>5.1f}% {:>8}  all steps; the rest of {:.4f} ms lies between them\n",
             sum * 1e3, sum / whole * 100, "", whole * 1e3);
}

const Subject& fastest(const std::vector<Subject>& subjects) {
  return *std::ranges::min_element(subjects, {},
                                   [](const Subject& subject) { return subject.samples().median(); });
}

void print_text(std::vector<Subject>& subjects, bool profile) {
  std::size_t width = 0;
  for (const Subject& subject : subjects) width = std::max(width, subject.file().size());
  for (const Subject& subject : subjects) {
    const Samples& s = subject.samples();
    fmt::print(
        "{:<{}}  {:>9.3f} ms ± {:.3f}   p50 {:.3f}  p90 {:.3f}  p99 {:.3f}   min {:.3f}   {} runs\n",
        subject.file(), width, s.mean() * 1e3, s.deviation() * 1e3, s.median() * 1e3,
        s.percentile(0.9) * 1e3, s.percentile(0.99) * 1e3, std::ranges::min(s.seconds) * 1e3,
        s.seconds.size());
  }
  const Subject& best = fastest(subjects);
  for (const Subject& subject : subjects) {
    if (&subject == &best) continue;
    const Ratio ratio = ratio_of(best.samples(), subject.samples());
    fmt::print("{} is {:.2f} ± {:.2f} times faster than {}\n", best.file(), ratio.value, ratio.spread,
               subject.file());
  }
  for (Subject& subject : subjects) {
    if (profile) print_profile(subject);
  }
}

Json json_of(Subject& subject, bool profile) {
  const Samples& s = subject.samples();
  Json json{{"artefact", subject.file()},           {"mean_s", s.mean()},
            {"deviation_s", s.deviation()},         {"p50_s", s.median()},
            {"p90_s", s.percentile(0.9)},           {"p99_s", s.percentile(0.99)},
            {"min_s", std::ranges::min(s.seconds)}, {"seconds", s.seconds}};
  if (!profile) return json;
  for (const StepTime& time : profile_of(subject)) {
    json["profile"].push_back({{"label", time.info.label},
                               {"kernel", time.info.kernel},
                               {"seconds", time.seconds},
                               {"flop", time.flop}});
  }
  return json;
}

}  // namespace

int bench_artefacts(const Bench& options) {
  std::vector<Subject> subjects;
  for (const std::string& file : options.artefacts) subjects.emplace_back(file, options.threads);
  measure(subjects, options.timing);
  if (!options.json) {
    print_text(subjects, options.timing.profile);
    return kDone;
  }
  Json results = Json::array();
  for (Subject& subject : subjects) results.push_back(json_of(subject, options.timing.profile));
  fmt::print("{}\n", Json{{"schema", "hone.bench_artefacts/1"},
                          {"threads", hone_threads()},
                          {"results", std::move(results)}}
                         .dump());
  return kDone;
}

}  // namespace hone::cli
