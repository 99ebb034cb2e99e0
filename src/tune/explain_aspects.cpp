#include "tune/explain_aspects.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "feature/summary.h"
#include "schedule/original_ops.h"
#include "score/ablation.h"

namespace hone::tune {
namespace {

using feature::Aspect;

// Whose statement a row is of: that of the same stage where others have it, else of the same op.
struct RowOwner {
  int stage;
  int op;
  std::string name;
};

// The rows of one view, one a statement.
struct RowTable {
  std::string view;  // empty: Sample::values
  std::span<const float> values;
  std::size_t columns = 0;
  std::vector<RowOwner> owners = {};

  std::span<const float> row(std::size_t i) const { return values.subspan(i * columns, columns); }
};

RowTable statement_rows(const ReadProgram& program) {
  RowTable table;
  const auto view = std::ranges::find(program.sample.views, "statements", &score::View::name);
  if (view != program.sample.views.end()) {
    table = {.view = view->name, .values = view->values, .columns = view->columns};
  } else if (!program.sample.values.empty()) {
    table.values = program.sample.values;
    table.columns = table.values.size() / program.sample.nodes.size();
  } else {
    return table;
  }
  const schedule::State& state = program.replayed->state();
  const std::vector<int> ops = schedule::original_ops(state);
  for (const int stage : program.replayed->statements().stages) {
    const auto number = static_cast<std::size_t>(stage);
    table.owners.push_back({stage, ops[number], state.stages[number].name});
  }
  return table;
}

class MeanRow {
 public:
  void add(std::span<const float> row) {
    sums_.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) sums_[i] += double{row[i]};
    ++count_;
  }
  bool is_known() const { return count_ > 0; }
  float at(std::size_t column) const { return static_cast<float>(sums_[column] / count_); }

 private:
  std::vector<double> sums_;
  double count_ = 0;
};

class Ablations {
 public:
  void add(int stage, Aspect aspect, score::Change change, float now) {
    if (change.value != now) by_owner_[{stage, aspect}].push_back(std::move(change));
  }

  std::vector<ExplainedAspect> ask(const score::Predictor& model, const score::Sample& sample) const {
    std::vector<score::Ablation> ablations;
    for (const auto& [owner, ablation] : by_owner_) ablations.push_back(ablation);
    const std::vector<double> gains = score::effects(model, sample, ablations);
    double sum = 0;
    for (const double gain : gains) sum += std::abs(gain);
    std::vector<ExplainedAspect> out;
    auto gain = gains.begin();
    for (const auto& [owner, ablation] : by_owner_) {
      out.push_back({owner.first, owner.second, *gain, sum > 0 ? std::abs(*gain) / sum : 0});
      ++gain;
    }
    std::ranges::stable_sort(out, std::ranges::greater{}, &ExplainedAspect::share);
    return out;
  }

 private:
  std::map<std::pair<int, Aspect>, score::Ablation> by_owner_;
};

void add_statements(const AnyScorer& scorer, const ReadProgram& program,
                    std::span<const ReadProgram> random, Ablations& to) {
  const RowTable mine = statement_rows(program);
  std::map<std::pair<int, std::string>, MeanRow> by_stage;
  std::map<int, MeanRow> by_op;
  for (const ReadProgram& other : random) {
    const RowTable theirs = statement_rows(other);
    for (std::size_t r = 0; r < theirs.owners.size(); ++r) {
      by_stage[{theirs.owners[r].op, theirs.owners[r].name}].add(theirs.row(r));
      by_op[theirs.owners[r].op].add(theirs.row(r));
    }
  }
  // Behind statements trees read what is the same for all programs of the task.
  const std::size_t columns = scorer.reads == AnyScorer::Reads::Code
                                  ? mine.columns
                                  : std::min<std::size_t>(mine.columns, feature::kStatementColumns);
  for (std::size_t r = 0; r < mine.owners.size(); ++r) {
    const RowOwner& owner = mine.owners[r];
    const auto stage = by_stage.find({owner.op, owner.name});
    const MeanRow& mean = stage != by_stage.end() ? stage->second : by_op[owner.op];
    if (!mean.is_known()) continue;
    for (std::size_t c = 0; c < columns; ++c)
      to.add(owner.stage, feature::cpu_aspects()[c], {mine.view, r * mine.columns + c, mean.at(c)},
             mine.row(r)[c]);
  }
}

void add_summary(const ReadProgram& program, std::span<const ReadProgram> random, Ablations& to) {
  const auto summary_of = [](const ReadProgram& read) -> const score::View* {
    const auto found = std::ranges::find(read.sample.views, "summary", &score::View::name);
    return found != read.sample.views.end() ? &*found : nullptr;
  };
  const score::View* const mine = summary_of(program);
  if (mine == nullptr) return;
  MeanRow mean;
  for (const ReadProgram& other : random) mean.add(summary_of(other)->values);
  if (!mean.is_known()) return;
  const feature::Replayed& replayed = *program.replayed;
  const feature::SummaryStages stages =
      feature::summary_stages(replayed.state(), replayed.tree(), replayed.hardware());
  const int stage_of[] = {-1, stages.main, stages.next};
  for (std::size_t c = 0; c < mine->values.size(); ++c) {
    const feature::SummaryAspect is = feature::summary_aspects()[c];
    to.add(stage_of[static_cast<std::size_t>(is.of)], is.aspect, {mine->name, c, mean.at(c)},
           mine->values[c]);
  }
}

}  // namespace

std::vector<ExplainedAspect> explain_aspects(const AnyScorer& scorer, const ReadProgram& program,
                                             std::span<const ReadProgram> random) {
  Ablations ablations;
  add_statements(scorer, program, random, ablations);
  add_summary(program, random, ablations);
  return ablations.ask(*scorer.model, program.sample);
}

}  // namespace hone::tune
