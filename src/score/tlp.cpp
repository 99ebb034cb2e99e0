#include "score/tlp.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "base/error.h"
#include "score/attention.h"
#include "score/distinct_rows.h"
#include "score/tlp_lstm.h"
#include "score/tlp_parts.h"

namespace hone::score {
namespace {

using graph::ValueId;

constexpr std::int64_t kRowsAtOnce = 128, kProgramsAtOnce = 8, kTokensAtOnce = 128;
// Most programs have fewer distinct steps than there is room for: those of so many more share a graph.
constexpr std::int64_t kTokensApart = 4;
// Of a token that is not there: its share of the softmax is 0.
constexpr float kNever = -1e9F;

using Names = std::vector<std::string>;

// What depends on one step alone: its encoding, and the queries, keys and values of attention.
constexpr std::size_t kRowParts = 4;

graph::Graph graph_of_rows(const std::vector<NamedTensor>& tensors, const TlpSizes& sizes) {
  Layers layers(tensors);
  const ValueId x = layers.chain(layers.input("rows", {kRowsAtOnce, sizes.columns}), "encoder", true);
  std::vector<ValueId> parts = {x};
  for (std::int64_t i = 0; i < 3; ++i)
    parts.push_back(layers.linear(x, "attention0.in", i * sizes.width, sizes.width));
  return layers.finish(std::move(parts));
}

// What becomes of a token that has seen the others: the rest of attention, blocks, the mean of the
// decoders; if asked, what the last layers read besides.
graph::Graph graph_of_tokens(const std::vector<NamedTensor>& tensors, const TlpSizes& sizes,
                             const Names& decoders) {
  Layers layers(tensors);
  const ValueId encoded = layers.input("encoded", {kTokensAtOnce, sizes.width});
  const ValueId seen = layers.input("seen", {kTokensAtOnce, sizes.width});
  const ValueId x = layers.add(layers.linear(seen, "attention0.out"), encoded);
  return layers.finish(
      decode_tlp(layers, layers.residual_blocks(x, "blocks"), decoders, sizes.hidden > 0));
}

// Tokens of a program: distinct rows and how often each occurs.
struct Token {
  std::size_t row;
  float count;
};
using Tokens = std::vector<Token>;

struct Attention {
  std::int64_t tokens;  // of a program, at most
  std::unique_ptr<DenseFunction> run;
};

// Programs that are looked at together.
struct Portion {
  const Attention* attention;
  std::vector<std::size_t> programs;
};

using Encoded = std::array<std::vector<float>, kRowParts>;  // width numbers a row

// Of each program, over its tokens. The score is linear in what the last layer reads, so is its sum.
struct Sums {
  std::vector<double> scores;
  std::size_t hidden_width;
  std::vector<float> hidden;
};

// One thread's part of the work. Attention sees a few programs at a time; their tokens then queue up
// for the layers that take them one by one, so that these always work on full matrices.
class Scorer {
 public:
  Scorer(const DenseFunction& of_tokens, std::size_t width, const std::vector<Tokens>& programs,
         const Encoded& encoded, Sums& sums)
      : of_tokens_(of_tokens),
        width_(width),
        programs_(programs),
        encoded_(encoded),
        sums_(sums),
        queued_encoded_(kQueue * width),
        queued_seen_(kQueue * width),
        hidden_(kQueue * sums.hidden_width) {}

  void add(const Portion& portion) {
    const auto length = static_cast<std::size_t>(portion.attention->tokens);
    look(portion, length);
    for (std::size_t i = 0; i < portion.programs.size(); ++i) {
      std::size_t slot = i * length;
      for (const Token& token : programs_[portion.programs[i]])
        queue(portion.programs[i], token, &seen_[slot++ * width_]);
    }
  }

  void finish() {
    if (!owners_.empty()) decode();
  }

 private:
  static constexpr auto kQueue = static_cast<std::size_t>(kTokensAtOnce);
  struct Owner {
    std::size_t program;
    float count;
  };

  // What is left in the memory from other portions is looked at, too, and nobody asks what came of it.
  void look(const Portion& portion, std::size_t length) {
    const std::size_t slots = static_cast<std::size_t>(kProgramsAtOnce) * length;
    log_counts_.assign(slots, kNever);
    seen_.resize(slots * width_);
    for (std::vector<float>& part : gathered_) part.resize(slots * width_);
    for (std::size_t i = 0; i < portion.programs.size(); ++i) {
      std::size_t slot = i * length;
      for (const Token& token : programs_[portion.programs[i]]) {
        for (std::size_t part = 0; part < gathered_.size(); ++part)
          std::copy_n(&encoded_[part + 1][token.row * width_], width_, &gathered_[part][slot * width_]);
        log_counts_[slot++] = std::log(token.count);
      }
    }
    std::vector<std::span<const float>> inputs(gathered_.begin(), gathered_.end());
    inputs.emplace_back(log_counts_);
    portion.attention->run->run(static_cast<std::size_t>(kProgramsAtOnce), inputs,
                                std::array{std::span(seen_)});
  }

  void queue(std::size_t program, const Token& token, const float* seen) {
    const std::size_t place = owners_.size() * width_;
    std::copy_n(&encoded_[0][token.row * width_], width_, &queued_encoded_[place]);
    std::copy_n(seen, width_, &queued_seen_[place]);
    owners_.push_back({program, token.count});
    if (owners_.size() == kQueue) decode();
  }

  void decode() {
    std::array<float, kQueue> decoded;
    std::vector<std::span<float>> outputs = {decoded};
    if (!hidden_.empty()) outputs.emplace_back(hidden_);
    of_tokens_.run(kQueue, std::array<std::span<const float>, 2>{queued_encoded_, queued_seen_},
                   outputs);
    for (std::size_t i = 0; i < owners_.size(); ++i) {
      const auto [program, count] = owners_[i];
      sums_.scores[program] += double{count} * double{decoded[i]};
      for (std::size_t j = 0; j < sums_.hidden_width; ++j)
        sums_.hidden[program * sums_.hidden_width + j] += count * hidden_[i * sums_.hidden_width + j];
    }
    owners_.clear();
  }

  const DenseFunction& of_tokens_;
  const std::size_t width_;
  const std::vector<Tokens>& programs_;
  const Encoded& encoded_;
  Sums& sums_;
  std::array<std::vector<float>, kRowParts - 1> gathered_;  // queries, keys, values
  std::vector<float> log_counts_, seen_;
  std::vector<float> queued_encoded_, queued_seen_, hidden_;
  std::vector<Owner> owners_;  // of what is queued
};

// Nothing in TLP depends on the place of a step: steps that are alike, and all padding is, are one
// token that counts as often as it occurs. What depends on one step alone, the encoder and the
// projections of attention, is worked out once for all programs that have the step.
class Tlp final : public Network {
 public:
  Tlp(const std::vector<NamedTensor>& tensors, const TlpSizes& sizes, std::int64_t heads,
      const Names& decoders, const CompileDense& compile)
      : Network({sizes.view}),
        sizes_(sizes),
        heads_(heads),
        of_rows_(compile(graph_of_rows(tensors, sizes))),
        of_tokens_(compile(graph_of_tokens(tensors, sizes, decoders))) {
    for (std::int64_t tokens = 2 * kTokensApart; tokens < sizes.steps; tokens += kTokensApart)
      add_attention(tokens, compile);
    add_attention(sizes.steps, compile);
  }

  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    DistinctRows rows(static_cast<std::size_t>(sizes_.columns));
    std::vector<Tokens> programs;
    for (const Sample& sample : samples)
      programs.push_back(tokens_of(view_of(sample, sizes_.view), rows));
    const Encoded encoded = encode(rows);
    const std::vector<Portion> portions = portions_of(programs);
    const auto hidden_width = static_cast<std::size_t>(sizes_.hidden);
    Sums sums{std::vector<double>(samples.size()), hidden_width,
              std::vector<float>(samples.size() * hidden_width)};
    std::atomic<std::size_t> next = 0;
    of_tokens_->side_by_side(of_tokens_->threads(), [&](std::size_t /*any of them*/) {
      Scorer scorer(*of_tokens_, width(), programs, encoded, sums);
      for (std::size_t i = next++; i < portions.size(); i = next++) scorer.add(portions[i]);
      scorer.finish();
    });
    std::vector<Prediction> out(samples.size());
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i].score = std::exp(sums.scores[i]);
      const float* const from = sums.hidden.data() + i * hidden_width;
      out[i].hidden.assign(from, from + hidden_width);
    }
    return out;
  }

 private:
  void add_attention(std::int64_t tokens, const CompileDense& compile) {
    attention_.push_back(
        {tokens, compile(graph_of_attention(kProgramsAtOnce, tokens, sizes_.width, heads_))});
  }

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
    encode_tlp(*of_rows_, sizes_, rows.size(), rows.values(), outputs);
    return out;
  }

  std::vector<Portion> portions_of(const std::vector<Tokens>& programs) const {
    std::vector<Portion> portions;
    for (std::size_t i = 0; i < attention_.size(); ++i) {
      const std::int64_t above = i == 0 ? -1 : attention_[i - 1].tokens;
      bool is_full = true;
      for (std::size_t at = 0; at < programs.size(); ++at) {
        const std::int64_t n = std::ssize(programs[at]);
        if (n <= above || n > attention_[i].tokens) continue;
        if (is_full) portions.push_back({&attention_[i], {}});
        portions.back().programs.push_back(at);
        is_full = std::ssize(portions.back().programs) == kProgramsAtOnce;
      }
    }
    return portions;
  }

  std::size_t width() const { return static_cast<std::size_t>(sizes_.width); }

  TlpSizes sizes_;
  std::int64_t heads_;
  std::unique_ptr<DenseFunction> of_rows_, of_tokens_;
  std::vector<Attention> attention_;  // of the shortest programs first
};

// Of the decoder's last layer, the only one with a single output.
std::int64_t hidden_width(const std::vector<NamedTensor>& tensors, const std::string& decoder) {
  const auto found = std::ranges::find_if(tensors, [&](const NamedTensor& tensor) {
    return tensor.name.starts_with(decoder + ".") && tensor.shape.size() == 2 && tensor.shape[0] == 1;
  });
  if (found == tensors.end())
    throw UserError("the network has no " + decoder, "train the scorer again");
  return found->shape[1];
}

// Scorers that were made before there was the option have numbers as they are.
bool has_log_numbers(const ModelHeader& header) {
  if (!has_option(header, "numbers")) return false;
  const std::string& numbers = option_of(header, "numbers");
  if (numbers != "raw" && numbers != "log")
    throw UserError(
        "the scorer was trained with 'numbers' = " + numbers + ", and hone knows raw and log",
        "train it again with this version of hone");
  return numbers == "log";
}

std::unique_ptr<Network> make(const ScorerFile& file, const Names& decoders,
                              const CompileDense& compile, bool tells_hidden) {
  const ModelHeader& header = file.header;
  if (option_of(header, "layers") != "1")
    throw UserError("hone scores with TLP of one layer only, and this has " +
                        option_of(header, "layers") + " of " + option_of(header, "backend"),
                    "`hone-train --predict` judges all that it trains");
  const std::vector<NamedTensor> tensors = parse_tensors(file.weights);
  TlpSizes sizes{.view = option_of(header, "rows"),
                 .steps = whole_option(header, "steps"),
                 .columns = find_tensor(tensors, "encoder.0.weight", {-1, -1}).shape[1],
                 .width = find_tensor(tensors, decoders.front() + ".0.weight", {-1, -1}).shape[1],
                 .hidden = 0,
                 .has_log_numbers = has_log_numbers(header)};
  for (const std::string& decoder : decoders) {
    const std::int64_t width = hidden_width(tensors, decoder);
    if (tells_hidden) sizes.hidden += width;
  }
  if (option_of(header, "backend") == "lstm") return make_tlp_lstm(tensors, sizes, decoders, compile);
  return std::make_unique<Tlp>(tensors, sizes, whole_option(header, "heads"), decoders, compile);
}

}  // namespace

std::unique_ptr<Network> make_tlp(const ScorerFile& file, const CompileDense& compile,
                                  bool tells_hidden) {
  return make(file, {"decoder"}, compile, tells_hidden);
}

std::unique_ptr<Network> make_mtl_tlp(const ScorerFile& file, const CompileDense& compile,
                                      bool tells_hidden) {
  const std::string& answer = option_of(file.header, "answer");
  const std::int64_t n_machines = whole_option(file.header, "platforms");
  const std::int64_t first = answer == "others" ? 1 : 0, end = answer == "first" ? 1 : n_machines;
  Names decoders;
  for (std::int64_t i = first; i < end; ++i) decoders.push_back("decoder" + std::to_string(i));
  if (decoders.empty())
    throw UserError("the scorer has no decoder that answers for its target",
                    "train it with a set of another machine");
  return make(file, decoders, compile, tells_hidden);
}

}  // namespace hone::score
