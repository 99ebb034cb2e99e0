#include "cli/train_trees.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/clock.h"
#include "base/duration.h"
#include "base/json_object.h"
#include "cli/exit_code.h"
#include "cli/set_samples.h"
#include "cli/train_material.h"
#include "cli/validation.h"
#include "score/model_file.h"

namespace hone::cli {
namespace {

train::Options defaults() {
  return {{"rounds", "0", "trees at most; 0: as published, 300 of xgboost and 2000 of lightgbm"},
          {"label", "mean", "which of the repeats is a program's time: mean or min"},
          {"validation", "0.1", "share of the tasks that is held out to judge; 0: none"},
          {"seed", "0", "of the choice of these tasks"}};
}

void tell(const Train& options, const Quality& quality, std::size_t n_programs, double seconds) {
  if (options.json) {
    fmt::print("{}\n", JsonObject()
                           .add("event", "done")
                           .add("file", options.output)
                           .add("programs", n_programs)
                           .add("top1", quality.top1)
                           .add("top5", quality.top5)
                           .add("seconds", seconds)
                           .text());
    return;
  }
  fmt::print("{}: {} programs, validation top-1 {:.3f}, top-5 {:.3f}, {}\n", options.output, n_programs,
             quality.top1, quality.top5, print_clock(seconds));
}

}  // namespace

const std::vector<std::string>& tree_kinds() {
  static const std::vector<std::string> kKinds = {"xgboost", "lightgbm"};
  return kKinds;
}

bool is_tree_kind(const std::string& kind) {
  return std::ranges::find(tree_kinds(), kind) != tree_kinds().end();
}

std::string tree_options_text() { return options_text(defaults()); }

int train_trees(const Train& options) {
  const double start_s = now_s();
  train::Options settings = defaults();
  settings.set_all(options.settings);
  const train::Material material = load_material(options, settings);
  const train::DataSet& set = material.set;
  const train::Split& split = material.split;
  const std::vector<score::Sample> samples = statement_samples(set.parts.front().file, {"embedding"});

  std::vector<score::Sample> learned;
  std::vector<double> labels;
  score::ModelHeader header = header_of(material, options.kind, {"statements", "embedding"});
  for (const std::uint32_t task : split.training) {
    for (const train::Program program : set.tasks[task].programs) {
      learned.push_back(samples[program]);
      labels.push_back(set.speed[program]);
    }
  }
  score::ModelOptions model_options;
  model_options.tenset = {.rounds = static_cast<int>(settings.whole("rounds")),
                          .threads = options.threads};
  const auto model = score::make_model(options.kind, model_options);
  model->train(learned, labels);

  const Quality quality =
      validate(set, split.validation, [&](const std::vector<train::Program>& programs) {
        std::vector<score::Sample> asked;
        for (const train::Program program : programs) asked.push_back(samples[program]);
        std::vector<double> scores;
        for (const score::Prediction& said : model->predict(asked)) scores.push_back(said.score);
        return scores;
      });
  header.metrics = {{"programs", static_cast<double>(learned.size())},
                    {"validation_top1", quality.top1},
                    {"validation_top5", quality.top5}};
  for (const train::Option& option : settings.all())
    header.options.emplace_back(option.name, option.value);
  score::save_model(options.output, header, *model);
  tell(options, quality, learned.size(), now_s() - start_s);
  return kDone;
}

}  // namespace hone::cli
