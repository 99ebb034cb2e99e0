#include "score/tlp.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "score/distinct_rows.h"
#include "score/layers.h"

namespace hone::score {
namespace {

using graph::ValueId;

constexpr std::int64_t kRowsAtOnce = 512, kProgramsAtOnce = 32;
// Most programs have fewer distinct steps than there is room for: those of so many more share a graph.
constexpr std::int64_t kTokensApart = 4;
// Of a token that is not there: its share of the softmax is 0.
constexpr float kNever = -1e9F;

struct Sizes {
  std::int64_t steps, columns, width, heads;
};

// What depends on one step alone: its encoding, and the queries, keys and values of attention.
constexpr std::size_t kRowParts = 4;

graph::Graph graph_of_rows(const std::vector<NamedTensor>& tensors, const Sizes& sizes) {
  Layers layers(tensors);
  const ValueId x = layers.chain(layers.input("rows", {kRowsAtOnce, sizes.columns}), "encoder", true);
  std::vector<ValueId> parts = {x};
  for (std::int64_t i = 0; i < 3; ++i)
    parts.push_back(layers.linear(x, "attention0.in", i * sizes.width, sizes.width));
  return layers.finish(std::move(parts));
}

// The rest: attention, blocks, decoder, and the sum over the tokens.
graph::Graph graph_of_programs(const std::vector<NamedTensor>& tensors, const Sizes& sizes,
                               std::int64_t tokens) {
  const std::int64_t n = kProgramsAtOnce, width = sizes.width, heads = sizes.heads;
  Layers layers(tensors);
  const auto by_head = [&](const char* name, std::vector<int> order) {
    return layers.transpose(layers.input(name, {n, tokens, heads, width / heads}), std::move(order));
  };
  const ValueId x = layers.input("encoded", {n, tokens, width});
  const ValueId queries = by_head("queries", {0, 2, 1, 3});
  const ValueId keys = by_head("keys", {0, 2, 3, 1});
  const ValueId values = by_head("values", {0, 2, 1, 3});
  const ValueId log_count = layers.input("log_count", {n, tokens});
  const ValueId count = layers.input("count", {n, tokens});

  const double scale = 1 / std::sqrt(static_cast<double>(width / heads));
  const ValueId affinity = layers.scale(layers.matmul(queries, keys), scale);
  const ValueId shares =
      layers.softmax(layers.add(affinity, layers.reshape(log_count, {n, 1, 1, tokens})));
  const ValueId seen = layers.transpose(layers.matmul(shares, values), {0, 2, 1, 3});
  const ValueId out = layers.linear(layers.reshape(seen, {n, tokens, width}), "attention0.out");
  const ValueId y = layers.residual_blocks(layers.add(out, x), "blocks");
  const ValueId of_tokens = layers.reshape(layers.chain(y, "decoder", false), {n, tokens});
  return layers.finish({layers.sum(layers.multiply(of_tokens, count), 1)});
}

// Tokens of a program: distinct rows and how often each occurs.
struct Token {
  std::size_t row;
  float count;
};
using Tokens = std::vector<Token>;

// Nothing in TLP depends on the place of a step: steps that are alike, and all padding is, are one
// token that counts as often as it occurs. What depends on one step alone, the encoder and the
// projections of attention, is worked out once for all programs that have the step.
class Tlp final : public Network {
 public:
  Tlp(const std::vector<NamedTensor>& tensors, const Sizes& sizes, const CompileDense& compile)
      : Network({"tlp"}), sizes_(sizes), of_rows_(compile(graph_of_rows(tensors, sizes))) {
    for (std::int64_t tokens = 2 * kTokensApart; tokens < sizes.steps; tokens += kTokensApart)
      of_programs_.push_back({tokens, compile(graph_of_programs(tensors, sizes, tokens))});
    of_programs_.push_back({sizes.steps, compile(graph_of_programs(tensors, sizes, sizes.steps))});
  }

  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    DistinctRows rows(static_cast<std::size_t>(sizes_.columns));
    std::vector<Tokens> programs;
    for (const Sample& sample : samples) programs.push_back(tokens_of(view_of(sample, "tlp"), rows));
    const Encoded encoded = encode(rows);
    std::vector<Prediction> out(samples.size());
    for (std::size_t i = 0; i < of_programs_.size(); ++i) {
      const std::int64_t above = i == 0 ? -1 : of_programs_[i - 1].tokens;
      std::vector<std::size_t> chosen;
      for (std::size_t at = 0; at < programs.size(); ++at) {
        const auto n = static_cast<std::int64_t>(programs[at].size());
        if (n > above && n <= of_programs_[i].tokens) chosen.push_back(at);
      }
      score(of_programs_[i], chosen, programs, encoded, out);
    }
    return out;
  }

 private:
  struct ByLength {
    std::int64_t tokens;
    std::unique_ptr<DenseFunction> run;
  };
  using Encoded = std::array<std::vector<float>, kRowParts>;  // width numbers a row

  Tokens tokens_of(const View& view, DistinctRows& rows) const {
    const auto columns = static_cast<std::size_t>(sizes_.columns);
    const auto steps = static_cast<std::size_t>(sizes_.steps);
    const std::size_t n = std::min(view.n_rows(), steps);
    Tokens tokens;
    const auto add = [&](std::span<const float> row, float count) {
      const std::size_t number = rows.add(row);
      const auto found = std::ranges::find(tokens, number, &Token::row);
      found == tokens.end() ? tokens.push_back({number, count}) : void(found->count += count);
    };
    for (std::size_t i = 0; i < n; ++i)
      add(std::span(view.values).subspan(i * view.columns, columns), 1);
    if (n < steps) add(std::vector<float>(columns), static_cast<float>(steps - n));
    return tokens;
  }

  Encoded encode(const DistinctRows& rows) const {
    Encoded out;
    for (std::vector<float>& part : out) part.resize(rows.size() * width());
    const std::vector<std::span<float>> outputs(out.begin(), out.end());
    of_rows_->run(rows.size(), std::array{rows.values()}, outputs);
    return out;
  }

  // A portion at a time, so that what is gathered for it stays in the caches.
  void score(const ByLength& function, std::span<const std::size_t> chosen,
             const std::vector<Tokens>& programs, const Encoded& encoded,
             std::vector<Prediction>& out) const {
    const auto length = static_cast<std::size_t>(function.tokens);
    const auto at_once = static_cast<std::size_t>(kProgramsAtOnce), slots = at_once * length;
    Encoded gathered;
    for (std::vector<float>& part : gathered) part.resize(slots * width());
    std::vector<float> log_counts(slots), counts(slots), scores(at_once);
    std::vector<std::span<const float>> inputs(gathered.begin(), gathered.end());
    inputs.insert(inputs.end(), {log_counts, counts});
    for (; !chosen.empty(); chosen = chosen.subspan(std::min(at_once, chosen.size()))) {
      std::ranges::fill(log_counts, kNever);
      std::ranges::fill(counts, 0);
      const std::size_t n = std::min(at_once, chosen.size());
      for (std::size_t i = 0; i < n; ++i) {
        std::size_t slot = i * length;
        for (const Token& token : programs[chosen[i]]) {
          for (std::size_t part = 0; part < kRowParts; ++part)
            std::copy_n(&encoded[part][token.row * width()], width(), &gathered[part][slot * width()]);
          log_counts[slot] = std::log(token.count);
          counts[slot++] = token.count;
        }
      }
      function.run->run(n, inputs, std::array{std::span(scores)});
      for (std::size_t i = 0; i < n; ++i) out[chosen[i]].score = std::exp(double{scores[i]});
    }
  }

  std::size_t width() const { return static_cast<std::size_t>(sizes_.width); }

  Sizes sizes_;
  std::unique_ptr<DenseFunction> of_rows_;
  std::vector<ByLength> of_programs_;  // the shortest first
};

}  // namespace

std::unique_ptr<Network> make_tlp(const ScorerFile& file, const CompileDense& compile) {
  const ModelHeader& header = file.header;
  if (option_of(header, "backend") != "attention" || option_of(header, "layers") != "1")
    throw UserError("hone scores with TLP of one layer of attention only, and this has " +
                        option_of(header, "layers") + " of " + option_of(header, "backend"),
                    "`hone-train --predict` judges all that it trains");
  const std::vector<NamedTensor> tensors = parse_tensors(file.weights);
  const NamedTensor& first = find_tensor(tensors, "encoder.0.weight", {-1, -1});
  const NamedTensor& out = find_tensor(tensors, "attention0.out.weight", {-1, -1});
  const Sizes sizes{.steps = whole_option(header, "steps"),
                    .columns = first.shape[1],
                    .width = out.shape[0],
                    .heads = whole_option(header, "heads")};
  return std::make_unique<Tlp>(tensors, sizes, compile);
}

}  // namespace hone::score
