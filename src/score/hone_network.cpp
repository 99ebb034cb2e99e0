#include "score/hone_network.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "score/blocks.h"
#include "score/forest.h"
#include "score/layers.h"
#include "score/opinion.h"
#include "score/ragged.h"

namespace hone::score {
namespace {

using graph::ValueId;
using Tensors = std::vector<NamedTensor>;

constexpr std::int64_t kRowsAtOnce = 64, kProgramsAtOnce = 32;
constexpr std::array kRowViews = {"statements", "primitives"};
constexpr std::array kWholeViews = {"context", "summary"};  // one row a program
constexpr const char* kMachine = "machine";                 // likewise; not all networks read it
// As in training: what is far from all machines that were learned from counts as that far.
constexpr double kFarMachine = 2;
// As in training: on this scale the sum over a program's rows is an ordinary number.
constexpr float kOrdinaryRows = 10;

std::string member(std::size_t number, const std::string& part) {
  return "member" + std::to_string(number) + "." + part;
}

std::int64_t columns_of(const Tensors& tensors, const std::string& view) {
  return find_tensor(tensors, view + "_normaliser.shift", {-1}).shape[0];
}

bool reads_machine(const Tensors& tensors) {
  return std::ranges::find(tensors, "machine_normaliser.shift", &NamedTensor::name) != tensors.end();
}

// The views that are one row a program; trees look at all of them.
std::vector<std::string> whole_views(const Tensors& tensors) {
  std::vector<std::string> views(kWholeViews.begin(), kWholeViews.end());
  if (reads_machine(tensors)) views.emplace_back(kMachine);
  return views;
}

std::vector<std::string> views_of(const Tensors& tensors) {
  std::vector<std::string> views(kRowViews.begin(), kRowViews.end());
  std::ranges::copy(whole_views(tensors), std::back_inserter(views));
  return views;
}

// A view's input, normalised. What is beyond `reach` deviations counts as that far; 0: any counts.
ValueId known(Layers& layers, const Tensors& tensors, const std::string& view, const std::string& name,
              std::int64_t rows, double reach) {
  const ValueId input = layers.input(name, {rows, columns_of(tensors, view)});
  const ValueId x = layers.normalise(input, view + "_normaliser");
  return reach > 0 ? layers.clamp(x, -reach, reach) : x;
}

// Rows of a view as each member encodes them.
graph::Graph graph_of_rows(const Tensors& tensors, const std::string& view, std::size_t members,
                           double reach) {
  Layers layers(tensors);
  const ValueId rows = known(layers, tensors, view, "rows", kRowsAtOnce, reach);
  std::vector<ValueId> outputs;
  for (std::size_t i = 0; i < members; ++i)
    outputs.push_back(layers.chain(rows, member(i, view + ".encoder"), true));
  return layers.finish(std::move(outputs));
}

// What the views come to where they meet. The machine stretches and shifts it.
ValueId fuse(Layers& layers, const std::vector<ValueId>& parts, const std::optional<ValueId>& machine,
             std::size_t number) {
  const std::string name = member(number, "machine");
  ValueId x = layers.chain(layers.concat(parts, 1), member(number, "fuse"), !machine);
  if (!machine) return x;
  const std::int64_t width = layers.shape_of(x).back();
  const ValueId code = layers.relu(layers.linear(*machine, name + ".0"));
  const ValueId factor = layers.linear(code, name + ".1", 0, width);
  x = layers.add(x, layers.multiply(x, factor));
  return layers.relu(layers.add(x, layers.linear(code, name + ".1", width, width)));
}

// What each member makes of the task, the whole program and the rows' sums and maxima: the log of
// latency / best, and the logit of being valid. Behind those of all members, if asked, what each made
// them of.
graph::Graph graph_of_programs(const Tensors& tensors, std::size_t members, std::int64_t width,
                               double reach, bool tells_hidden) {
  Layers layers(tensors);
  std::vector<ValueId> wholes, hidden, outputs;
  std::optional<ValueId> machine;
  for (const std::string& view : whole_views(tensors)) {
    const ValueId row = known(layers, tensors, view, view, kProgramsAtOnce, reach);
    if (view == kMachine)
      machine = layers.clamp(row, -kFarMachine, kFarMachine);
    else
      wholes.push_back(row);
  }
  for (std::size_t i = 0; i < members; ++i) {
    const auto n_parts = static_cast<std::int64_t>(2 * kRowViews.size());
    const ValueId rows = layers.input(member(i, "rows"), {kProgramsAtOnce, n_parts * width});
    const ValueId fused = fuse(layers, {wholes[0], wholes[1], rows}, machine, i);
    hidden.push_back(layers.residual_blocks(fused, member(i, "blocks")));
    outputs.push_back(layers.linear(hidden.back(), member(i, "heads")));
  }
  if (tells_hidden) outputs.insert(outputs.end(), hidden.begin(), hidden.end());
  return layers.finish(std::move(outputs));
}

Forest fitting_forest(const Tensors& tensors) {
  Forest forest = parse_forest(tensors);
  std::size_t columns = 0;
  for (const std::string& view : whole_views(tensors))
    columns += static_cast<std::size_t>(columns_of(tensors, view));
  if (forest.columns != columns)
    throw UserError("the trees of the scorer were grown for other networks: they look at " +
                        std::to_string(forest.columns) + " columns of " + std::to_string(columns),
                    "join them again with `hone train --networks`");
  return forest;
}

struct Votes {
  std::size_t members;  // networks
  double caution;       // a pick must be good in the eyes of all: so much of the spread is taken off
  double tree_share;    // of the trees, if there are any
  double spread_scale;  // the doubt that holds is so many times the spread
};

// Scorers that were made before there was such an option do not have it.
double newer_option(const ModelHeader& header, std::string_view name, double before) {
  return has_option(header, name) ? number_option(header, name) : before;
}

class HoneNetwork final : public Network {
 public:
  HoneNetwork(const Tensors& tensors, const Votes& votes, double reach, const CompileDense& compile,
              bool tells_hidden)
      : Network(views_of(tensors)),
        votes_(votes),
        whole_views_(whole_views(tensors)),
        width_(static_cast<std::size_t>(
            find_tensor(tensors, member(0, "statements.encoder.0.weight"), {-1, -1}).shape[0])) {
    for (const char* view : kRowViews) {
      of_rows_.push_back(compile(graph_of_rows(tensors, view, votes.members, reach)));
      columns_.push_back(static_cast<std::size_t>(columns_of(tensors, view)));
    }
    if (tells_hidden)
      hidden_width_ =
          static_cast<std::size_t>(find_tensor(tensors, member(0, "heads.weight"), {2, -1}).shape[1]);
    of_programs_ = compile(graph_of_programs(tensors, votes.members, static_cast<std::int64_t>(width_),
                                             reach, tells_hidden));
    if (has_forest(tensors)) forest_ = fitting_forest(tensors);
  }

  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    return in_blocks(*of_programs_, samples,
                     [this](std::span<const Sample> block) { return predict_block(block); });
  }

 private:
  std::vector<Prediction> predict_block(std::span<const Sample> samples) const {
    const std::size_t n = samples.size(), width = pooled_width();
    std::vector<std::vector<float>> pooled(votes_.members, std::vector<float>(n * width));
    for (std::size_t view = 0; view < kRowViews.size(); ++view) pool(samples, view, pooled);
    std::vector<std::vector<float>> wholes(whole_views_.size());
    for (std::size_t i = 0; i < wholes.size(); ++i) {
      for (const Sample& sample : samples) {
        const View& view = view_of(sample, whole_views_[i]);
        wholes[i].insert(wholes[i].end(), view.values.begin(), view.values.end());
      }
    }
    std::vector<std::span<const float>> inputs(wholes.begin(), wholes.end());
    inputs.insert(inputs.end(), pooled.begin(), pooled.end());
    std::vector<std::vector<float>> said(votes_.members, std::vector<float>(2 * n));
    std::vector<std::vector<float>> hidden;
    if (hidden_width_ > 0) hidden.assign(votes_.members, std::vector<float>(n * hidden_width_));
    std::vector<std::span<float>> outputs(said.begin(), said.end());
    outputs.insert(outputs.end(), hidden.begin(), hidden.end());
    of_programs_->run(n, inputs, outputs);
    const std::vector<float> trees = forest_ ? ask_trees(samples) : std::vector<float>();
    std::vector<Prediction> out;
    for (std::size_t i = 0; i < n; ++i) {
      Opinion<double> opinion = opinion_of(said, i);
      if (forest_) opinion = join(opinion, double{trees[i]}, votes_.tree_share);
      const double score = std::exp(-opinion.log_latency - votes_.caution * opinion.spread);
      out.push_back({.score = score,
                     .spread = score * votes_.spread_scale * opinion.spread,
                     .valid = valid(said, i)});
      for (const std::vector<float>& of_member : hidden) {
        const float* const from = &of_member[i * hidden_width_];
        out.back().hidden.insert(out.back().hidden.end(), from, from + hidden_width_);
      }
    }
    return out;
  }

  std::size_t pooled_width() const { return 2 * kRowViews.size() * width_; }

  // Puts the sums and maxima of a view's rows where the programs' rows have them.
  void pool(std::span<const Sample> samples, std::size_t view,
            std::vector<std::vector<float>>& pooled) const {
    Ragged rows(columns_[view]);
    for (const Sample& sample : samples) {
      const View& of_sample = view_of(sample, kRowViews[view]);
      rows.begin_program();
      for (std::size_t i = 0; i < of_sample.n_rows(); ++i)
        rows.add(std::span(of_sample.values).subspan(i * of_sample.columns, of_sample.columns));
    }
    std::vector<std::vector<float>> encoded(votes_.members,
                                            std::vector<float>(rows.n_distinct() * width_));
    const std::vector<std::span<float>> outputs(encoded.begin(), encoded.end());
    of_rows_[view]->run(rows.n_distinct(), std::array{rows.distinct()}, outputs);
    for (std::size_t i = 0; i < votes_.members; ++i) {
      const std::vector<float> sums = rows.sums(encoded[i], width_);
      const std::vector<float> maxima = rows.maxima(encoded[i], width_);
      for (std::size_t program = 0; program < samples.size(); ++program) {
        float* const to = &pooled[i][program * pooled_width() + 2 * view * width_];
        for (std::size_t j = 0; j < width_; ++j) {
          to[j] = sums[program * width_ + j] / kOrdinaryRows;
          to[width_ + j] = maxima[program * width_ + j];
        }
      }
    }
  }

  std::vector<float> ask_trees(std::span<const Sample> samples) const {
    std::vector<float> rows;
    for (const Sample& sample : samples) {
      for (const std::string& name : whole_views_) {
        const std::vector<float>& row = view_of(sample, name).values;
        rows.insert(rows.end(), row.begin(), row.end());
      }
    }
    return forest_->values(rows);
  }

  // `said`: of each member the log of latency / best and the logit of being valid, program by program.
  static Opinion<double> opinion_of(const std::vector<std::vector<float>>& said, std::size_t program) {
    double sum = 0, squares = 0;
    for (const std::vector<float>& of_member : said) {
      const double log_latency = of_member[2 * program];
      sum += log_latency;
      squares += log_latency * log_latency;
    }
    const auto n = static_cast<double>(said.size());
    return {sum / n, std::sqrt(std::max(0.0, squares / n - sum / n * (sum / n)))};
  }

  static double valid(const std::vector<std::vector<float>>& said, std::size_t program) {
    double sum = 0;
    for (const std::vector<float>& of_member : said)
      sum += 1 / (1 + std::exp(-double{of_member[2 * program + 1]}));
    return sum / static_cast<double>(said.size());
  }

  Votes votes_;
  std::vector<std::string> whole_views_;
  std::size_t width_;
  std::size_t hidden_width_ = 0;      // of what a member's last layer reads; 0: it is not told
  std::vector<std::size_t> columns_;  // of the row views
  std::vector<std::unique_ptr<DenseFunction>> of_rows_;
  std::unique_ptr<DenseFunction> of_programs_;
  std::optional<Forest> forest_;  // over the whole views, one behind the other
};

}  // namespace

std::vector<std::string> tree_views(const std::vector<std::string>& views) {
  return {views.begin() + kRowViews.size(), views.end()};
}

std::unique_ptr<Network> make_hone_network(const ScorerFile& file, const CompileDense& compile,
                                           bool tells_hidden) {
  if (option_of(file.header, "heads") != "0")
    throw UserError("hone scores without attention between primitives only, and this has it",
                    "train with heads = 0; `hone-train --predict` judges all that it trains");
  const std::vector<NamedTensor> tensors = parse_tensors(file.weights);
  const Votes votes{.members = static_cast<std::size_t>(whole_option(file.header, "members")),
                    .caution = number_option(file.header, "caution"),
                    .tree_share = has_forest(tensors) ? number_option(file.header, "tree_share") : 0,
                    .spread_scale = newer_option(file.header, "spread_scale", 1)};
  if (votes.tree_share < 0 || votes.tree_share > 1)
    throw UserError("the trees of the scorer have a share of " + option_of(file.header, "tree_share"),
                    "tree_share is from 0 to 1");
  return std::make_unique<HoneNetwork>(tensors, votes, newer_option(file.header, "reach", 0), compile,
                                       tells_hidden);
}

}  // namespace hone::score
