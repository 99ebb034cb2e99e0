#include "cli/grow_trees.h"

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_object.h"
#include "cli/interrupt.h"

namespace hone::cli {

score::ForestOptions forest_options(const train::Options& options, int threads) {
  return {.trees = static_cast<int>(options.whole("trees")),
          .depth = static_cast<int>(options.whole("tree_depth")),
          .learning_rate = options.number("tree_rate"),
          .threads = threads,
          .seed = static_cast<std::uint64_t>(options.whole("seed"))};
}

Growth grow_trees(const TreeLesson& lesson, const score::ForestOptions& options,
                  TrainDisplay& display) {
  if (lesson.labels.empty())
    throw UserError("the set has no program that trees could learn from",
                    "they need programs that work and whose computation is known");
  Growth growth;
  const Interrupt interrupt;
  const double start_s = now_s();
  const auto watch = [&](int trees, double error) {
    growth.errors.push_back(error);
    const double seconds_left = (now_s() - start_s) / trees * (options.trees - trees);
    display.show(JsonObject()
                     .add("event", "tree")
                     .add("tree", trees)
                     .add("trees", options.trees)
                     .add("error", error)
                     .add("seconds_left", seconds_left)
                     .text());
    return !interrupt.asked();
  };
  growth.forest = grow_forest(lesson.table, lesson.labels, options, watch, lesson.weights);
  return growth;
}

void write_grown(score::ScorerFile file, const Growth& growth, const Quality& quality, double start_s,
                 const std::string& output, TrainDisplay& display) {
  file.header.curves.emplace_back("tree_error", growth.errors);
  write_whole(output, score::print_scorer(file));
  display.show(JsonObject()
                   .add("event", "done")
                   .add("file", output)
                   .add("trees", growth.forest->n_trees())
                   .add("top1", quality.top1)
                   .add("top5", quality.top5)
                   .add("seconds", now_s() - start_s)
                   .text());
}

}  // namespace hone::cli
