#include "score/tenset_mlp.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "score/blocks.h"
#include "score/layers.h"
#include "score/ragged.h"

namespace hone::score {
namespace {

using graph::ValueId;

constexpr std::int64_t kRowsAtOnce = 64, kProgramsAtOnce = 32;

graph::Graph graph_of_rows(const std::vector<NamedTensor>& tensors, std::int64_t columns) {
  Layers layers(tensors);
  const ValueId rows =
      layers.normalise(layers.input("rows", {kRowsAtOnce, columns}), "rows.normaliser");
  return layers.finish({layers.chain(rows, "encoder", true)});
}

graph::Graph graph_of_programs(const std::vector<NamedTensor>& tensors, std::int64_t width,
                               bool tells_hidden) {
  Layers layers(tensors);
  const ValueId x = layers.residual_blocks(layers.input("sums", {kProgramsAtOnce, width}), "blocks");
  std::vector<ValueId> outputs = {layers.linear(x, "decoder")};
  if (tells_hidden) outputs.push_back(x);
  return layers.finish(std::move(outputs));
}

class TenSetMlp final : public Network {
 public:
  TenSetMlp(const std::vector<NamedTensor>& tensors, std::int64_t columns, std::int64_t width,
            const CompileDense& compile, bool tells_hidden)
      : Network({"statements", "embedding"}),
        columns_(static_cast<std::size_t>(columns)),
        width_(static_cast<std::size_t>(width)),
        of_rows_(compile(graph_of_rows(tensors, columns))),
        hidden_width_(tells_hidden ? width_ : 0),
        of_programs_(compile(graph_of_programs(tensors, width, tells_hidden))) {}

  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    return in_blocks(*of_programs_, samples,
                     [this](std::span<const Sample> block) { return predict_block(block); });
  }

 private:
  std::vector<Prediction> predict_block(std::span<const Sample> samples) const {
    Ragged rows(columns_);
    std::vector<float> row(columns_);
    for (const Sample& sample : samples) {
      const View& statements = view_of(sample, "statements");
      const View& embedding = view_of(sample, "embedding");
      rows.begin_program();
      std::ranges::fill(row, 0);  // the embedding leaves room behind it
      std::ranges::copy(embedding.values, &row[statements.columns]);
      for (std::size_t i = 0; i < statements.n_rows(); ++i) {
        std::copy_n(&statements.values[i * statements.columns], statements.columns, row.data());
        rows.add(row);
      }
    }
    std::vector<float> encoded(rows.n_distinct() * width_), scores(samples.size());
    std::vector<float> hidden(samples.size() * hidden_width_);
    of_rows_->run(rows.n_distinct(), std::array{rows.distinct()}, std::array{std::span(encoded)});
    const std::vector<float> sums = rows.sums(encoded, width_);
    std::vector<std::span<float>> said = {scores};
    if (hidden_width_ > 0) said.emplace_back(hidden);
    of_programs_->run(samples.size(), std::array{std::span<const float>(sums)}, said);
    std::vector<Prediction> out(samples.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].score = std::exp(double{scores[i]});
      const float* const from = hidden.data() + i * hidden_width_;
      out[i].hidden.assign(from, from + hidden_width_);
    }
    return out;
  }

  std::size_t columns_, width_;
  std::unique_ptr<DenseFunction> of_rows_;
  std::size_t hidden_width_;  // 0: it is not told
  std::unique_ptr<DenseFunction> of_programs_;
};

}  // namespace

std::unique_ptr<Network> make_tenset_mlp(const ScorerFile& file, const CompileDense& compile,
                                         bool tells_hidden) {
  const std::vector<NamedTensor> tensors = parse_tensors(file.weights);
  const NamedTensor& first = find_tensor(tensors, "encoder.0.weight", {-1, -1});
  return std::make_unique<TenSetMlp>(tensors, first.shape[1], first.shape[0], compile, tells_hidden);
}

}  // namespace hone::score
