#include "train/tabnet.h"

#include <cmath>

#include "base/error.h"
#include "train/ghost_norm.h"
#include "train/kinds.h"
#include "train/model.h"
#include "train/sparsemax.h"
#include "train/statement_rows.h"

namespace hone::train {
namespace {

using torch::Tensor;
using torch::nn::Linear;

constexpr double kMomentum = 0.02, kFirstMomentum = 0.01;

Linear without_bias(std::int64_t from, std::int64_t to, double gain_divisor) {
  Linear layer(torch::nn::LinearOptions(from, to).bias(false));
  const auto inputs = static_cast<double>(from), outputs = static_cast<double>(to);
  torch::nn::init::xavier_normal_(layer->weight,
                                  std::sqrt((inputs + outputs) / (gain_divisor * std::sqrt(inputs))));
  return layer;
}
Linear gate_layer(std::int64_t from, std::int64_t width) { return without_bias(from, 2 * width, 1); }
Linear plain_layer(std::int64_t from, std::int64_t to) { return without_bias(from, to, 2); }

// One half of what the layer says, let through by the other half.
Tensor gated(const Tensor& x, Linear& layer, GhostNorm& norm) {
  return torch::glu(norm->forward(layer->forward(x)), 1);
}

// Four gated layers, the sum of each with what it reads scaled back. The first two have weights that
// all steps share, but norms of their own.
class FeatureTransformerImpl : public torch::nn::Module {
 public:
  FeatureTransformerImpl(std::vector<Linear> shared, std::int64_t width, std::int64_t ghost)
      : layers_(std::move(shared)) {
    constexpr int kOwn = 2;
    for (int i = 0; i < kOwn; ++i)
      layers_.push_back(register_module("own" + std::to_string(i), gate_layer(width, width)));
    for (std::size_t i = 0; i < layers_.size(); ++i)
      norms_.push_back(
          register_module("norm" + std::to_string(i), GhostNorm(2 * width, ghost, kMomentum)));
  }

  Tensor forward(Tensor x) {
    x = gated(x, layers_[0], norms_[0]);
    for (std::size_t i = 1; i < layers_.size(); ++i)
      x = (x + gated(x, layers_[i], norms_[i])) * std::sqrt(0.5);
    return x;
  }

 private:
  std::vector<Linear> layers_;
  std::vector<GhostNorm> norms_;
};
TORCH_MODULE(FeatureTransformer);

// Which columns a step looks at: shares that add up to 1.
class AttentiveTransformerImpl : public torch::nn::Module {
 public:
  AttentiveTransformerImpl(std::int64_t width, std::int64_t columns, std::int64_t ghost) {
    layer_ = register_module("layer", plain_layer(width, columns));
    norm_ = register_module("norm", GhostNorm(columns, ghost, kMomentum));
  }

  Tensor forward(const Tensor& attention, const Tensor& prior) {
    return sparsemax(norm_->forward(layer_->forward(attention)) * prior);
  }

 private:
  Linear layer_{nullptr};
  GhostNorm norm_{nullptr};
};
TORCH_MODULE(AttentiveTransformer);

// A row step by step: each step looks at some columns, rather at those that no step before looked at,
// says something of the row and where the next one should look.
class TabNetEncoderImpl : public torch::nn::Module {
 public:
  TabNetEncoderImpl(std::int64_t columns, std::int64_t out, const Options& options)
      : step_width_(options.whole("step_width")), gamma_(options.number("gamma")) {
    const std::int64_t width = 2 * step_width_, ghost = options.whole("ghost_batch");
    first_norm_ = register_module("first_norm", GhostNorm(columns, 0, kFirstMomentum));
    const std::vector<Linear> shared = {register_module("shared0", gate_layer(columns, width)),
                                        register_module("shared1", gate_layer(width, width))};
    first_ = register_module("first", FeatureTransformer(shared, width, ghost));
    for (std::int64_t i = 0; i < options.whole("steps"); ++i) {
      const std::string number = std::to_string(i);
      attentive_.push_back(
          register_module("attentive" + number, AttentiveTransformer(step_width_, columns, ghost)));
      transformers_.push_back(
          register_module("transformer" + number, FeatureTransformer(shared, width, ghost)));
    }
    decoder_ = register_module("decoder", plain_layer(step_width_, out));
  }

  Tensor forward(const Tensor& rows) {
    const Tensor x = first_norm_->forward(rows);
    Tensor attention = first_->forward(x).narrow(1, step_width_, step_width_);
    Tensor prior = torch::ones_like(x);
    Tensor sum = torch::zeros({x.size(0), step_width_}, x.options());
    for (std::size_t i = 0; i < transformers_.size(); ++i) {
      const Tensor mask = attentive_[i]->forward(attention, prior);
      prior = prior * (gamma_ - mask);
      const Tensor said = transformers_[i]->forward(mask * x);
      sum = sum + torch::relu(said.narrow(1, 0, step_width_));
      attention = said.narrow(1, step_width_, step_width_);
    }
    return decoder_->forward(sum);
  }

 private:
  std::int64_t step_width_;
  double gamma_;
  GhostNorm first_norm_{nullptr};
  FeatureTransformer first_{nullptr};
  std::vector<AttentiveTransformer> attentive_;
  std::vector<FeatureTransformer> transformers_;
  Linear decoder_{nullptr};
};
TORCH_MODULE(TabNetEncoder);

class TabNet final : public ScoreModel {
 public:
  TabNet(const Options& options, const Features& features) : ScoreModel(options) {
    if (options.whole("step_width") == 0)
      throw UserError("a step of TabNet says nothing", "step_width: 1 or more");
    const std::int64_t width = options.whole("width");
    rows_ = register_module("rows", StatementRows(features));
    encoder_ = register_module("encoder", TabNetEncoder(rows_->columns(), width, options));
    blocks_ = register_module("blocks", ResidualBlocks(width, options.whole("blocks")));
    decoder_ = register_module("decoder", Linear(width, 1));
  }

  void learn_inputs(const Features& features, const std::vector<Program>& training) override {
    rows_->learn(features, training);
  }

  Tensor score(const Batch& batch) override {
    const Tensor statements = encoder_->forward(rows_->forward(batch));
    const Tensor sum = batch.view("statements").pad(statements).sum(1);
    return decoder_->forward(blocks_->forward(sum)).squeeze(1);
  }

 private:
  StatementRows rows_{nullptr};
  TabNetEncoder encoder_{nullptr};
  ResidualBlocks blocks_{nullptr};
  Linear decoder_{nullptr};
};

}  // namespace

Options tabnet_options() {
  return published_recipe()
      .with({{"select", "last"}})
      .and_also({
          {"steps", "3", "decisions about a statement, one after the other"},
          {"step_width", "8", "of what a step says of the statement, and of what it tells the next"},
          {"gamma", "1.3", "how gladly a column is looked at again; 1: never"},
          {"ghost_batch", "128", "statements that are normalised together in training"},
          {"width", "256", "of what a statement is encoded to, and of the layers behind the sum"},
          {"blocks", "2", "residual blocks behind the sum"},
      });
}

std::shared_ptr<Model> make_tabnet(const Options& options, const Features& features) {
  return std::make_shared<TabNet>(options, features);
}

}  // namespace hone::train
