#include "score/statement_network.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "score/blocks.h"
#include "score/layers.h"

namespace hone::score {
namespace {

using graph::ValueId;
using Tensors = std::vector<NamedTensor>;

constexpr std::int64_t kRowsAtOnce = 64, kProgramsAtOnce = 32;

std::int64_t size_of_encoder(const Tensors& tensors, std::size_t dimension) {
  return find_tensor(tensors, "encoder.0.weight", {-1, -1}).shape[dimension];
}

graph::Graph graph_of_rows(const Tensors& tensors) {
  Layers layers(tensors);
  const ValueId rows = layers.input("rows", {kRowsAtOnce, size_of_encoder(tensors, 1)});
  return layers.finish({layers.chain(layers.normalise(rows, "rows.normaliser"), "encoder", true)});
}

graph::Graph graph_of_programs(const Tensors& tensors, bool tells_hidden) {
  Layers layers(tensors);
  const ValueId pooled = layers.input("pooled", {kProgramsAtOnce, size_of_encoder(tensors, 0)});
  const ValueId x = layers.residual_blocks(pooled, "blocks");
  std::vector<ValueId> outputs = {layers.linear(x, "decoder")};
  if (tells_hidden) outputs.push_back(x);
  return layers.finish(std::move(outputs));
}

std::vector<std::string> views_read(bool reads_instructions) {
  std::vector<std::string> views = {"statements", "embedding"};
  if (reads_instructions) views.emplace_back("instructions");
  return views;
}

// Of every statement its features, the flags of its task, zeros, and at the end of the columns, if
// asked, the instructions that it uses.
Ragged rows_of(std::span<const Sample> samples, std::size_t columns, bool with_instructions) {
  Ragged rows(columns);
  std::vector<float> row(columns);
  for (const Sample& sample : samples) {
    const View& statements = view_of(sample, "statements");
    const View& embedding = view_of(sample, "embedding");
    const View* const instructions = with_instructions ? &view_of(sample, "instructions") : nullptr;
    const std::size_t more = instructions == nullptr ? 0 : instructions->columns;
    check(statements.columns + embedding.values.size() + more <= columns,
          "a row has room for what is said of a statement");
    check(instructions == nullptr || instructions->n_rows() == statements.n_rows(),
          "both describe the same statements");
    rows.begin_program();
    std::ranges::fill(row, 0);
    std::ranges::copy(embedding.values, row.data() + statements.columns);
    for (std::size_t i = 0; i < statements.n_rows(); ++i) {
      std::copy_n(&statements.values[i * statements.columns], statements.columns, row.data());
      if (more > 0) std::copy_n(&instructions->values[i * more], more, &row[columns - more]);
      rows.add(row);
    }
  }
  return rows;
}

}  // namespace

StatementNetwork::StatementNetwork(const Tensors& tensors, const CompileDense& compile,
                                   bool tells_hidden, bool reads_instructions)
    : Network(views_read(reads_instructions)),
      reads_instructions_(reads_instructions),
      columns_(static_cast<std::size_t>(size_of_encoder(tensors, 1))),
      width_(static_cast<std::size_t>(size_of_encoder(tensors, 0))),
      hidden_width_(tells_hidden ? width_ : 0),
      of_rows_(compile(graph_of_rows(tensors))),
      of_programs_(compile(graph_of_programs(tensors, tells_hidden))) {}

std::vector<Prediction> StatementNetwork::predict(std::span<const Sample> samples) const {
  return in_blocks(*of_programs_, samples,
                   [this](std::span<const Sample> block) { return predict_block(block); });
}

std::vector<Prediction> StatementNetwork::predict_block(std::span<const Sample> samples) const {
  const Ragged rows = rows_of(samples, columns_, reads_instructions_);
  std::vector<float> encoded((rows.n_distinct() + 1) * width_);
  of_rows_->run(rows.n_distinct(), std::array{rows.distinct()}, std::array{std::span(encoded)});
  const std::vector<float> pooled = pool(rows, std::move(encoded));
  std::vector<Prediction> out = decode(*of_programs_, pooled, samples.size(), hidden_width_);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i].score *= std::exp(score_of_length(rows.rows_of(i).size()));
  return out;
}

}  // namespace hone::score
