#include "tune/any_scorer.h"

#include <algorithm>
#include <filesystem>

#include "base/error.h"
#include "base/gzip.h"
#include "feature/cpu_rows.h"
#include "score/join_rows.h"
#include "score/model_file.h"
#include "score/network.h"
#include "tune/cycle_columns.h"
#include "tune/onnx_scorer.h"

namespace hone::tune {
namespace {

using Reads = AnyScorer::Reads;

AnyScorer analytic() {
  score::ModelOptions options;
  options.cycles = cycle_columns();
  return {.header = {.kind = "analytic", .features = {}, .data_hash = {}, .tasks = {}},
          .model = score::make_model("analytic", options),
          .reads = Reads::Code};
}

AnyScorer network(const std::string& file, score::ModelHeader header, const target::Target& target,
                  const std::string& cache_folder) {
  // An ONNX model tells whenever it can; it and trees are refused when they are asked to and cannot.
  const bool has_last_layer = !is_onnx(file) && header.kind != "corrected";
  const auto loaded = load_scorer(file, target, cache_folder, has_last_layer);
  return {.header = std::move(header), .model = loaded, .sections = loaded->views()};
}

}  // namespace

AnyScorer load_any_scorer(const std::string& name, const target::Target& target,
                          const std::string& cache_folder) {
  if (name == "analytic") return analytic();
  if (!std::filesystem::exists(name))
    throw UserError("there is no scorer `" + name + "`",
                    "analytic, a file that `hone train` wrote, or an ONNX model");
  if (is_onnx(name)) {
    score::ModelHeader header{.kind = "onnx", .features = {}, .data_hash = {}, .tasks = {}};
    return network(name, std::move(header), target, cache_folder);
  }
  score::ModelHeader header = score::parse_scorer(read_maybe_gzip(name), name).header;
  if (std::ranges::find(score::model_kinds(), header.kind) == score::model_kinds().end())
    return network(name, std::move(header), target, cache_folder);
  const std::vector<std::string> sections = {"statements", "embedding"};
  score::LoadedModel trees = score::load_model(name, feature_versions(sections), score::ModelOptions());
  return {.header = std::move(trees.header),
          .model = std::move(trees.model),
          .reads = Reads::Table,
          .sections = sections};
}

bool tells_speed(const AnyScorer& scorer) {
  if (scorer.reads != Reads::Views || scorer.header.kind == "corrected") return true;
  // hone's networks are brought into the unit of time when trees join them.
  const bool has_trees =
      std::ranges::find(scorer.header.metrics, "trees", &std::pair<std::string, double>::first) !=
      scorer.header.metrics.end();
  return scorer.header.kind == "hone" && has_trees;
}

SampleMaker::SampleMaker(const AnyScorer& scorer, const std::shared_ptr<const task::Task>& task,
                         const space::Hardware& hardware, const target::Target& target)
    : reads_(scorer.reads), sections_(scorer.sections), target_(target) {
  if (reads_ != Reads::Code) {
    views_.emplace(scorer.sections, task, hardware);
  } else if (hardware.kind != space::Hardware::Kind::Cpu) {
    throw UserError("the scorer estimates code for CPUs, and this program is one for a GPU",
                    "name a scorer that was trained on programs for GPUs");
  }
}

std::optional<score::Sample> SampleMaker::of(const feature::Replayed& program) const {
  score::Sample sample;
  if (reads_ == Reads::Code) {
    feature::Rows rows = feature::cpu_rows(program, target_);
    sample.values = std::move(rows.values);
    sample.nodes = std::move(rows.stages);
  } else {
    sample.views = views_->of(program);
    sample.nodes = program.statements().stages;
    if (reads_ == Reads::Table) {
      std::ranges::sort(sample.views, {}, [this](const score::View& view) {
        return std::ranges::find(sections_, view.name) - sections_.begin();
      });
      score::join_rows(sample);
    }
  }
  if (sample.nodes.empty()) return std::nullopt;
  return sample;
}

}  // namespace hone::tune
