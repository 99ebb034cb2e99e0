// `hone explain`: what a cost model holds responsible for its score of a program.
#include <fmt/format.h>

#include <algorithm>

#include "base/affinity.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/explain_input.h"
#include "cli/explain_learned.h"
#include "cli/explain_report.h"
#include "cli/terminal.h"
#include "schedule/state.h"
#include "space/hardware.h"
#include "target/detect.h"
#include "tune/explain.h"
#include "tune/make_proposer.h"

namespace hone::cli {
namespace {

constexpr std::size_t kWidthOfFiles = 120;

// hone writes its own targets into records; whatever others write, they search Ansor's space.
bool is_own(const std::string& target) {
  try {
    target::parse(target);
    return true;
  } catch (const UserError&) {
    return false;
  }
}

tune::Subject subject_of(const RecordedProgram& program) {
  const record::Record& record = program.record;
  tune::Subject out{.task = program.task,
                    .steps = record.steps,
                    .hardware = {},
                    .target = tune::recorded_target(record),
                    .space = is_own(record.target) ? tune::SpaceKind::Hone : tune::SpaceKind::Ansor};
  out.hardware = record.hardware.size() == record::kHardwareNumbers
                     ? space::hardware_from(record.hardware)
                     : space::hardware_of(out.target);
  try {
    schedule::State state = schedule::replay(out.task, out.steps);
    schedule::infer_bounds(state);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", program.origin, error.what()), error.hint());
  }
  return out;
}

// A scorer for another kind of machine answers all the same.
void warn_of_other_machines(const tune::AnyScorer& scorer, const tune::Subject& subject) {
  const auto share =
      std::ranges::find(scorer.header.metrics, "gpu_share", &std::pair<std::string, double>::first);
  if (share == scorer.header.metrics.end()) return;
  const bool is_gpu = subject.hardware.kind == space::Hardware::Kind::Gpu;
  if (is_gpu ? share->second > 0 : share->second < 1) return;
  fmt::print(stderr, "{} the scorer was trained on programs for {} only\n",
             paint("warning:", Colour::Yellow, stderr), is_gpu ? "CPUs" : "GPUs");
}

}  // namespace

int explain(const Explain& given) {
  Explain options = given;
  if (options.threads == 0) options.threads = static_cast<int>(allowed_cpus().size());
  const RecordedProgram program = load_program(options);
  const tune::Subject subject = subject_of(program);
  target::Target here = target::host();
  here.cores = options.threads;
  const tune::AnyScorer scorer =
      tune::load_any_scorer(options.scorer, here, home_folder() + "/scorers");
  warn_of_other_machines(scorer, subject);
  const tune::Explanation explanation = tune::explain(subject, scorer, {.threads = options.threads});
  const Learned learned = learned_from(options, program, subject, scorer);
  const ExplainReport report{options.scorer, program, scorer,
                             explanation,    learned, static_cast<std::size_t>(options.top)};
  fmt::print("{}", options.json ? explain_json(report) + "\n"
                                : explain_text(report, terminal_width(stdout, kWidthOfFiles)));
  return kDone;
}

}  // namespace hone::cli
