// How a scorer of hone's kind is fitted to labels of another machine; `adapt` chooses among the ways.
#pragma once
#include <optional>
#include <vector>

#include "score/adapt.h"
#include "score/booster.h"
#include "score/forest.h"
#include "score/network.h"

namespace hone::score {

// The last layer of a member, as far as it says the log of latency / best.
struct Head {
  std::vector<double> weight;
  double bias = 0;
};

// Labelled programs that work, of tasks that have at least two of them, and what the source makes of
// them.
struct AdaptMaterial {
  std::vector<std::vector<std::size_t>> tasks;  // programs of each
  std::vector<double> log_latency;              // of each: log of time / best labelled of the task
  std::vector<double> weight;                   // fast programs count more
  std::vector<std::vector<std::vector<double>>> hidden;  // a member, a program: what its head reads
  std::vector<double> log_valid;
  std::vector<double> trees;  // what those of the source say; 0 without any
  Table rows;                 // that trees read, one a program
  // Of the source.
  std::vector<Head> heads;
  std::optional<Forest> forest;
  double tree_share = 0, caution = 0;

  std::size_t size() const { return log_latency.size(); }
};

AdaptMaterial adapt_material(const ScorerFile& source, const CompileDense& compile,
                             const Labelled& labelled);

// What a way came to.
struct Fit {
  std::vector<Head> heads;
  std::optional<Forest> more_trees;
};

using TaskNumbers = std::vector<std::size_t>;
Fit fit(const AdaptMaterial& material, Adaption way, double stiffness, const TaskNumbers& tasks,
        const AdaptOptions& options);

// What is said of the programs of a task.
struct AdaptSaid {
  double score;        // what they are ranked by, higher is faster
  double log_latency;  // with the doubt that the score has taken off
  double spread;       // not scaled
};
std::vector<AdaptSaid> ask(const AdaptMaterial& material, const Fit& fit, std::size_t task);

}  // namespace hone::score
