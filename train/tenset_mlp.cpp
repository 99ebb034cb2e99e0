#include "train/tenset_mlp.h"

#include "train/kinds.h"
#include "train/model.h"
#include "train/statement_rows.h"

namespace hone::train {
namespace {

class TenSetMlp final : public ScoreModel {
 public:
  TenSetMlp(const Options& options, const Features& features) : ScoreModel(options) {
    const std::int64_t width = options.whole("width");
    rows_ = register_module("rows", StatementRows(features));
    encoder_ = register_module("encoder", Chain(std::vector{rows_->columns(), width, width}, true));
    blocks_ = register_module("blocks", ResidualBlocks(width, options.whole("blocks")));
    decoder_ = register_module("decoder", torch::nn::Linear(width, 1));
  }

  void learn_inputs(const Features& features, const std::vector<Program>& training) override {
    rows_->learn(features, training);
  }

  torch::Tensor score(const Batch& batch) override {
    const torch::Tensor statements = encoder_->forward(rows_->forward(batch));
    const torch::Tensor sum = batch.view("statements").pad(statements).sum(1);
    return decoder_->forward(blocks_->forward(sum)).squeeze(1);
  }

 private:
  StatementRows rows_{nullptr};
  Chain encoder_{nullptr};
  ResidualBlocks blocks_{nullptr};
  torch::nn::Linear decoder_{nullptr};
};

}  // namespace

Options tenset_mlp_options() {
  return published_recipe()
      .with({{"select", "last"}})
      .and_also({
          {"width", "256", "of the hidden layers"},
          {"blocks", "2", "residual blocks behind the sum"},
      });
}

std::shared_ptr<Model> make_tenset_mlp(const Options& options, const Features& features) {
  return std::make_shared<TenSetMlp>(options, features);
}

}  // namespace hone::train
