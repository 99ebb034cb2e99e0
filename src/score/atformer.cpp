#include "score/atformer.h"

#include <algorithm>
#include <array>

#include "score/attention.h"
#include "score/layers.h"
#include "score/statement_network.h"

namespace hone::score {
namespace {

using graph::ValueId;
using Tensors = std::vector<NamedTensor>;

constexpr std::int64_t kRowsAtOnce = 64;

struct Design {
  std::vector<std::string> layers = {};  // names of their attention
  std::vector<std::string> norms = {};   // of their norms; empty: they have none
  std::size_t heads = 1;
  std::size_t padding = 0;  // statements of a program at least: empty ones behind its own
  bool reads_instructions = false;
  bool decodes_statements = false;  // one by one, so that each adds the decoder's bias
};

// Queries, keys and values of a layer's statements.
graph::Graph graph_of_projection(const Tensors& tensors, const Design& design, std::size_t layer,
                                 std::int64_t width) {
  Layers layers(tensors);
  ValueId x = layers.input("x", {kRowsAtOnce, width});
  if (!design.norms.empty()) x = layers.layer_norm(x, design.norms[layer]);
  std::vector<ValueId> parts;
  for (std::int64_t i = 0; i < 3; ++i)
    parts.push_back(layers.linear(x, design.layers[layer] + ".in", i * width, width));
  return layers.finish(std::move(parts));
}

// A statement together with what it has seen.
graph::Graph graph_of_join(const Tensors& tensors, const Design& design, std::size_t layer,
                           std::int64_t width) {
  Layers layers(tensors);
  const ValueId x = layers.input("x", {kRowsAtOnce, width});
  const ValueId seen = layers.input("seen", {kRowsAtOnce, width});
  return layers.finish({layers.add(x, layers.linear(seen, design.layers[layer] + ".out"))});
}

// The rows of these numbers.
std::vector<float> picked(const std::vector<float>& rows, const std::vector<std::size_t>& numbers,
                          std::size_t width) {
  std::vector<float> out;
  out.reserve(numbers.size() * width);
  for (const std::size_t number : numbers)
    out.insert(out.end(), &rows[number * width], &rows[number * width] + width);
  return out;
}

std::vector<float> sums(const std::vector<float>& rows, std::span<const std::size_t> lengths,
                        std::size_t width) {
  std::vector<float> out(lengths.size() * width);
  const float* row = rows.data();
  for (std::size_t i = 0; i < lengths.size(); ++i)
    for (const float* const end = row + lengths[i] * width; row != end; row += width)
      for (std::size_t j = 0; j < width; ++j) out[i * width + j] += row[j];
  return out;
}

class AtFormer final : public StatementNetwork {
 public:
  AtFormer(const Tensors& tensors, Design design, const CompileDense& compile, bool tells_hidden)
      : StatementNetwork(tensors, compile, tells_hidden, design.reads_instructions),
        design_(std::move(design)),
        decoder_bias_(find_tensor(tensors, "decoder.bias", {1}).values[0]),
        attention_(width(), design_.heads, compile) {
    const auto width_of_x = static_cast<std::int64_t>(width());
    for (std::size_t i = 0; i < design_.layers.size(); ++i)
      layers_.push_back({compile(graph_of_projection(tensors, design_, i, width_of_x)),
                         compile(graph_of_join(tensors, design_, i, width_of_x))});
  }

 private:
  struct Layer {
    std::unique_ptr<DenseFunction> project, join;
  };

  // Up to the first attention a statement is what its row says, so equal rows, and all empty ones, are
  // worked on once.
  std::vector<float> pool(const Ragged& rows, std::vector<float> x) const override {
    std::vector<std::size_t> numbers, lengths;  // of the statements of all programs, and how many
    for (std::size_t i = 0; i < rows.n_programs(); ++i) {
      const std::span<const std::size_t> own = rows.rows_of(i);
      lengths.push_back(own.empty() ? 0 : std::max(own.size(), design_.padding));
      numbers.insert(numbers.end(), own.begin(), own.end());
      numbers.resize(numbers.size() + lengths.back() - own.size(), rows.n_distinct());
    }
    for (const Layer& layer : layers_) {
      Projected projected = project(layer, x);
      if (&layer == &layers_.front()) {
        x = picked(x, numbers, width());
        for (std::vector<float>& part : projected) part = picked(part, numbers, width());
      }
      const std::vector<float> seen = attention_.run(projected, lengths);
      std::vector<float> joined(x.size());
      layer.join->run(numbers.size(), std::array<std::span<const float>, 2>{x, seen},
                      std::array{std::span(joined)});
      x = std::move(joined);
    }
    return sums(x, lengths, width());
  }

  Projected project(const Layer& layer, const std::vector<float>& x) const {
    Projected out;
    for (std::vector<float>& part : out) part.resize(x.size());
    layer.project->run(x.size() / width(), std::array{std::span<const float>(x)},
                       std::vector<std::span<float>>(out.begin(), out.end()));
    return out;
  }

  double score_of_length(std::size_t statements) const override {
    return design_.decodes_statements ? (static_cast<double>(statements) - 1) * decoder_bias_ : 0;
  }

  Design design_;
  double decoder_bias_;
  RaggedAttention attention_;
  std::vector<Layer> layers_;
};

bool is_on(const ModelHeader& header, const char* name) { return option_of(header, name) == "1"; }

}  // namespace

std::unique_ptr<Network> make_atformer(const ScorerFile& file, const CompileDense& compile,
                                       bool tells_hidden) {
  const ModelHeader& header = file.header;
  Design design{.heads = static_cast<std::size_t>(whole_option(header, "heads")),
                .reads_instructions = is_on(header, "instructions")};
  for (std::int64_t i = 0; i < whole_option(header, "layers"); ++i) {
    const std::string layer = "layer" + std::to_string(i);
    design.layers.push_back(layer + ".attention");
    if (is_on(header, "norm")) design.norms.push_back(layer + ".norm");
  }
  if (!is_on(header, "mask"))
    design.padding = static_cast<std::size_t>(whole_option(header, "padding"));
  return std::make_unique<AtFormer>(parse_tensors(file.weights), std::move(design), compile,
                                    tells_hidden);
}

std::unique_ptr<Network> make_statement_attention(const ScorerFile& file, const CompileDense& compile,
                                                  bool tells_hidden) {
  Design design{.layers = {"attention"},
                .heads = static_cast<std::size_t>(whole_option(file.header, "heads")),
                .decodes_statements = true};
  return std::make_unique<AtFormer>(parse_tensors(file.weights), std::move(design), compile,
                                    tells_hidden);
}

}  // namespace hone::score
