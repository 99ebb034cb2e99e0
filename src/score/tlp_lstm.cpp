#include "score/tlp_lstm.h"

#include <array>

#include "score/blocks.h"
#include "score/lstm.h"

namespace hone::score {
namespace {

using Names = std::vector<std::string>;
using Tensors = std::vector<NamedTensor>;

constexpr std::int64_t kRowsAtOnce = 128, kProgramsAtOnce = 32;

graph::Graph graph_of_rows(const Tensors& tensors, const TlpSizes& sizes) {
  Layers layers(tensors);
  return layers.finish(
      {layers.chain(layers.input("rows", {kRowsAtOnce, sizes.columns}), "encoder", true)});
}

graph::Graph graph_of_programs(const Tensors& tensors, const TlpSizes& sizes, const Names& decoders) {
  Layers layers(tensors);
  const graph::ValueId state = layers.input("state", {kProgramsAtOnce, sizes.width});
  return layers.finish(
      decode_tlp(layers, layers.residual_blocks(state, "blocks"), decoders, sizes.hidden > 0));
}

class TlpLstm final : public Network {
 public:
  TlpLstm(const Tensors& tensors, const TlpSizes& sizes, const Names& decoders,
          const CompileDense& compile)
      : Network({sizes.view}),
        sizes_(sizes),
        of_rows_(compile(graph_of_rows(tensors, sizes))),
        lstm_(tensors, static_cast<std::size_t>(sizes.width), compile),
        of_programs_(compile(graph_of_programs(tensors, sizes, decoders))) {}

  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    return in_blocks(*of_programs_, samples,
                     [this](std::span<const Sample> block) { return predict_block(block); });
  }

 private:
  // Padding is read, too, as published.
  Ragged rows_of(std::span<const Sample> samples) const {
    const auto columns = static_cast<std::size_t>(sizes_.columns);
    const auto steps = static_cast<std::size_t>(sizes_.steps);
    const std::vector<float> padding(columns);
    Ragged rows(columns);
    for (const Sample& sample : samples) {
      const View& view = view_of(sample, sizes_.view);
      rows.begin_program();
      for (std::size_t i = 0; i < steps; ++i)
        rows.add(i < view.n_rows() ? std::span(view.values).subspan(i * view.columns, columns)
                                   : std::span(padding));
    }
    return rows;
  }

  std::vector<Prediction> predict_block(std::span<const Sample> samples) const {
    const Ragged rows = rows_of(samples);
    std::vector<float> encoded((rows.n_distinct() + 1) * static_cast<std::size_t>(sizes_.width));
    encode_tlp(*of_rows_, sizes_, rows.n_distinct(), rows.distinct(), std::array{std::span(encoded)});
    const std::vector<float> states = lstm_.last_states(rows, encoded);
    return decode(*of_programs_, states, samples.size(), static_cast<std::size_t>(sizes_.hidden));
  }

  TlpSizes sizes_;
  std::unique_ptr<DenseFunction> of_rows_;
  Lstm lstm_;
  std::unique_ptr<DenseFunction> of_programs_;
};

}  // namespace

std::unique_ptr<Network> make_tlp_lstm(const Tensors& tensors, const TlpSizes& sizes,
                                       const Names& decoders, const CompileDense& compile) {
  return std::make_unique<TlpLstm>(tensors, sizes, decoders, compile);
}

}  // namespace hone::score
