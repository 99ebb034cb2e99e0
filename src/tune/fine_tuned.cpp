#include "tune/fine_tuned.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/gzip.h"
#include "base/process.h"
#include "feature/section_rows.h"
#include "record/hds/writer.h"
#include "score/forest.h"
#include "tune/learned_scorer.h"
#include "tune/onnx_scorer.h"

namespace hone::tune {
namespace {

// As TenSet fine-tunes, ten passes; at the rate of the training before.
constexpr const char* kRecipe[] = {"epochs=10",   "schedule=constant", "validation=0",
                                   "select=last", "patience=0",        "label=min"};

// The trials as a data set of one task. Only ratios of times count.
void write_set(std::span<const score::Sample> samples, std::span<const double> labels,
               const std::vector<std::string>& views, const std::string& path) {
  record::hds::Writer writer(path);
  const std::vector<std::string> name = {"task"};
  for (const char* section : {"task.key", "task.target", "task.machine", "task.structure"})
    writer.strings(section, name);
  std::vector<std::uint8_t> status;
  std::vector<float> best;
  std::vector<double> times;
  std::vector<std::uint64_t> offsets = {0};
  for (const double label : labels) {
    constexpr std::uint8_t kFailed = 4;
    status.push_back(label > 0 ? 0 : kFailed);
    best.push_back(label > 0 ? static_cast<float>(1 / label) : NAN);
    if (label > 0) times.push_back(1 / label);
    offsets.push_back(times.size());
  }
  writer.array("program.task", std::vector<std::uint32_t>(samples.size()));
  writer.array("program.status", status);
  writer.array("program.best", best);
  writer.array("program.times.offsets", offsets);
  writer.array("program.times.values", times);
  const feature::SectionInput none;
  for (const std::string& view : views) {
    const feature::SectionRows rows = feature::section_rows(view, none);
    std::vector<std::uint64_t> begins = {0};
    std::vector<float> values;
    for (const score::Sample& sample : rows.is_of_tasks ? samples.first(1) : samples) {
      const score::View& of_sample = score::view_of(sample, view);
      values.insert(values.end(), of_sample.values.begin(), of_sample.values.end());
      begins.push_back(values.size() / static_cast<std::size_t>(rows.width));
    }
    std::string info =
        fmt::format("{} {} {}", rows.version, rows.width, rows.is_of_tasks ? "task" : "program");
    if (rows.full_rows > 0) info += fmt::format(" {}", rows.full_rows);
    writer.array("feature." + view + ".offsets", begins);
    writer.array("feature." + view + ".values", values);
    writer.text("feature." + view + ".info", info);
  }
  writer.finish();
}

score::ModelHeader header_of(const std::string& path) {
  const std::string refusal = path + " cannot be trained on by hone-train";
  constexpr const char* kHint = "use it with --scorer-use residual, tuned or adapter";
  if (is_onnx(path)) throw UserError(refusal + ": it is an ONNX model", kHint);
  const score::ScorerFile file = score::parse_scorer(read_maybe_gzip(path), path);
  if (score::has_forest(score::parse_tensors(file.weights)))
    throw UserError(refusal + ": its trees would be lost", kHint);
  return file.header;
}

}  // namespace

FineTuned::FineTuned(const std::string& scorer, std::string program, const target::Target& target,
                     std::shared_ptr<const score::Network> known)
    : scorer_(scorer),
      program_(std::move(program)),
      target_(target),
      header_(header_of(scorer)),
      network_(std::move(known)) {}

std::vector<std::string> FineTuned::arguments(const std::string& set, const std::string& output) const {
  std::vector<std::string> words = {set,
                                    "--kind",
                                    header_.kind,
                                    "--from",
                                    scorer_,
                                    "-o",
                                    output,
                                    "--device",
                                    "cpu",
                                    "--threads",
                                    std::to_string(target_.cores),
                                    "--fresh",
                                    "--progress-fd",
                                    std::to_string(kInheritedDescriptor)};
  for (const auto& [name, value] : header_.options) {
    words.emplace_back("--set");
    words.push_back(name + "=" + value);
  }
  for (const char* setting : kRecipe) words.insert(words.end(), {"--set", setting});
  return words;
}

void FineTuned::train(std::span<const score::Sample> samples, std::span<const double> labels) {
  const std::string set = folder_.path() / "trials.hds", output = folder_.path() / "tuned.scorer";
  write_set(samples, labels, network_->views(), set);
  const Descriptor unread(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  const std::string ending = Process::start(program_, arguments(set, output), unread).wait();
  if (ending != "exit code 0")
    throw UserError("hone-train could not train the scorer on: " + ending,
                    "what it said stands above; --scorer-use tuned needs no hone-train");
  network_ = load_scorer(output, target_, {});
}

}  // namespace hone::tune
