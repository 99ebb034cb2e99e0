#include "train/atformer.h"

#include "train/equal_lengths.h"
#include "train/kinds.h"
#include "train/model.h"
#include "train/programs_by_part.h"
#include "train/statement_rows.h"

namespace hone::train {
namespace {

using torch::Tensor;

bool is_on(const Options& options, const char* name) { return options.word(name, {"0", "1"}) == "1"; }

// x + attention(x), where attention sees x on one scale if there is a norm.
class AttentionBlockImpl : public torch::nn::Module {
 public:
  AttentionBlockImpl(std::int64_t width, std::int64_t heads, bool has_norm) {
    if (has_norm)
      norm_ = register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({width})));
    attention_ = register_module("attention", SelfAttention(width, heads));
  }

  Tensor forward(const Tensor& x) {
    return x + attention_->forward(norm_.is_empty() ? x : norm_->forward(x));
  }

 private:
  torch::nn::LayerNorm norm_{nullptr};
  SelfAttention attention_{nullptr};
};
TORCH_MODULE(AttentionBlock);

class AtFormer final : public ScoreModel {
 public:
  AtFormer(const Options& options, const Features& features)
      : ScoreModel(options), has_mask_(is_on(options, "mask")), padding_(options.whole("padding")) {
    const std::int64_t width = options.whole("width");
    rows_ = register_module("rows", StatementRows(features, is_on(options, "instructions")));
    encoder_ = register_module("encoder", Chain(std::vector{rows_->columns(), width, width}, true));
    for (std::int64_t i = 0; i < options.whole("layers"); ++i)
      layers_.push_back(
          register_module("layer" + std::to_string(i),
                          AttentionBlock(width, options.whole("heads"), is_on(options, "norm"))));
    blocks_ = register_module("blocks", ResidualBlocks(width, options.whole("blocks")));
    decoder_ = register_module("decoder", torch::nn::Linear(width, 1));
  }

  void learn_inputs(const Features& features, const std::vector<Program>& training) override {
    rows_->learn(features, training);
    if (has_mask_ || padding_ > 0) return;
    for_each_part(features, training, [&](const Batch& batch) {
      padding_ = std::max(padding_, batch.view("statements").longest);
    });
  }

  void settle(Options& options) const override { options.set("padding", std::to_string(padding_)); }

  Tensor score(const Batch& batch) override {
    const Tensor statements = encoder_->forward(rows_->forward(batch));
    Tensor sums = torch::zeros({batch.n, statements.size(1)}, statements.options());
    for (const EqualLength& equal : by_length(batch.view("statements"))) {
      Tensor x = statements.index_select(0, equal.rows).view({-1, equal.length, statements.size(1)});
      // Without mask a program has empty statements up to a length that does not depend on who else is
      // in the batch; they look, are looked at and are summed like all others.
      if (!has_mask_)
        x = torch::constant_pad_nd(x, {0, 0, 0, std::max<std::int64_t>(0, padding_ - equal.length)});
      for (AttentionBlock& layer : layers_) x = layer->forward(x);
      sums = sums.index_copy(0, equal.programs, x.sum(1));
    }
    return decoder_->forward(blocks_->forward(sums)).squeeze(1);
  }

 private:
  bool has_mask_;
  std::int64_t padding_;  // statements of a program at least, where there is no mask
  StatementRows rows_{nullptr};
  Chain encoder_{nullptr};
  std::vector<AttentionBlock> layers_;
  ResidualBlocks blocks_{nullptr};
  torch::nn::Linear decoder_{nullptr};
};

}  // namespace

Options atformer_options() {
  return published_recipe()
      .with({{"list", "64"}, {"label", "min"}, {"select", "last"}})
      .and_also({
          {"width", "256", "of the hidden layers"},
          {"heads", "4", "of attention"},
          {"layers", "2", "of attention, one behind the other"},
          {"blocks", "2", "residual blocks behind the sum"},
          {"norm", "1", "1: what attention looks at is brought to one scale, statement by statement"},
          {"mask", "1",
           "1: a program's own statements alone count; 0: empty ones, too, up to a length"},
          {"padding", "0", "that length; 0: of the longest training program"},
          {"instructions", "0", "1: reads the tensor instructions that statements use, too"},
      });
}

std::vector<std::string> atformer_views(const Options& options) {
  std::vector<std::string> views = {"statements", "embedding"};
  if (is_on(options, "instructions")) views.emplace_back("instructions");
  return views;
}

std::shared_ptr<Model> make_atformer(const Options& options, const Features& features) {
  return std::make_shared<AtFormer>(options, features);
}

}  // namespace hone::train
