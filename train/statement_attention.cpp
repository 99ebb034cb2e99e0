#include "train/statement_attention.h"

#include "train/kinds.h"
#include "train/model.h"
#include "train/statement_rows.h"

namespace hone::train {
namespace {

class StatementAttention final : public ScoreModel {
 public:
  StatementAttention(const Options& options, const Features& features) : ScoreModel(options) {
    const std::int64_t width = options.whole("width");
    rows_ = register_module("rows", StatementRows(features));
    encoder_ = register_module("encoder", Chain(std::vector{rows_->columns(), width, width}, true));
    attention_ = register_module("attention", SelfAttention(width, options.whole("heads")));
    decoder_ = register_module("decoder", torch::nn::Linear(width, 1));
  }

  void learn_inputs(const Features& features, const std::vector<Program>& training) override {
    rows_->learn(features, training);
  }

  // Statements that a program does not have are neither looked at nor counted.
  torch::Tensor score(const Batch& batch) override {
    const View& view = batch.view("statements");
    const torch::Tensor mask = view.mask();
    const torch::Tensor x = view.pad(encoder_->forward(rows_->forward(batch)));
    const torch::Tensor seen = attention_->forward(x, mask) + x;
    return (decoder_->forward(seen).squeeze(2) * mask).sum(1);
  }

 private:
  StatementRows rows_{nullptr};
  Chain encoder_{nullptr};
  SelfAttention attention_{nullptr};
  torch::nn::Linear decoder_{nullptr};
};

}  // namespace

Options statement_attention_options() {
  return published_recipe()
      .with({{"select", "last"}})
      .and_also({
          {"width", "1024", "of the hidden layers"},
          {"heads", "8", "of attention"},
      });
}

std::shared_ptr<Model> make_statement_attention(const Options& options, const Features& features) {
  return std::make_shared<StatementAttention>(options, features);
}

}  // namespace hone::train
