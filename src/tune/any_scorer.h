// Any scorer there is, and what it reads of the programs of a task.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "feature/replayed.h"
#include "score/model.h"
#include "score/scorer_file.h"
#include "target/target.h"
#include "tune/learned_scorer.h"

namespace hone::tune {

struct AnyScorer {
  enum class Reads : std::uint8_t {
    Views,  // sections side by side, as networks do
    Table,  // sections as one table, as trees do
    Code,   // the rows that hone's own searches go by
  };
  score::ModelHeader header;  // of what has no file of hone's only the kind is known
  std::shared_ptr<const score::Predictor> model;
  Reads reads = Reads::Views;
  std::vector<std::string> sections = {};
};

// `analytic`, a scorer's file or an ONNX model. Its predictions say what the last layer read, where
// there is one. Compiled kernels are kept in the folder, unless none is given. UserError when there is
// no such scorer, or when it was made for features that this hone does not make.
AnyScorer load_any_scorer(const std::string& name, const target::Target& target,
                          const std::string& cache_folder);

// Whether a score twice as high means half the time. Others were taught an order only.
bool tells_speed(const AnyScorer& scorer);

// Makes samples of the programs of one task, from any thread.
class SampleMaker {
 public:
  // `target` is the machine of the programs where the scorer reads code. UserError when the scorer
  // reads what one program does not have by itself.
  SampleMaker(const AnyScorer& scorer, const std::shared_ptr<const task::Task>& task,
              const space::Hardware& hardware, const target::Target& target);
  // Empty when there is nothing that the scorer could read.
  std::optional<score::Sample> of(const feature::Replayed& program) const;

 private:
  AnyScorer::Reads reads_;
  std::vector<std::string> sections_;  // in the order of a table's columns
  std::optional<Views> views_;
  target::Target target_;
};

}  // namespace hone::tune
