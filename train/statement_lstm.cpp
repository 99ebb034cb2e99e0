#include "train/statement_lstm.h"

#include "train/kinds.h"
#include "train/model.h"
#include "train/statement_rows.h"

namespace hone::train {
namespace {

class StatementLstm final : public ScoreModel {
 public:
  StatementLstm(const Options& options, const Features& features) : ScoreModel(options) {
    const std::int64_t width = options.whole("width");
    rows_ = register_module("rows", StatementRows(features));
    encoder_ = register_module("encoder", Chain(std::vector{rows_->columns(), width, width}, true));
    lstm_ = register_module("lstm",
                            torch::nn::LSTM(torch::nn::LSTMOptions(width, width).batch_first(true)));
    blocks_ = register_module("blocks", ResidualBlocks(width, options.whole("blocks")));
    decoder_ = register_module("decoder", torch::nn::Linear(width, 1));
  }

  void learn_inputs(const Features& features, const std::vector<Program>& training) override {
    rows_->learn(features, training);
  }

  torch::Tensor score(const Batch& batch) override {
    const View& view = batch.view("statements");
    const torch::Tensor states =
        std::get<0>(lstm_->forward(view.pad(encoder_->forward(rows_->forward(batch)))));
    // What follows the last statement is padding, which the states before it do not see.
    const torch::Tensor last = (view.counts() - 1).clamp_min(0).view({batch.n, 1, 1});
    const torch::Tensor end = states.gather(1, last.expand({batch.n, 1, states.size(2)})).squeeze(1);
    return decoder_->forward(blocks_->forward(end)).squeeze(1);
  }

 private:
  StatementRows rows_{nullptr};
  Chain encoder_{nullptr};
  torch::nn::LSTM lstm_{nullptr};
  ResidualBlocks blocks_{nullptr};
  torch::nn::Linear decoder_{nullptr};
};

}  // namespace

Options statement_lstm_options() {
  return published_recipe()
      .with({{"select", "last"}})
      .and_also({
          {"width", "256", "of the hidden layers"},
          {"blocks", "2", "residual blocks behind the last state"},
      });
}

std::shared_ptr<Model> make_statement_lstm(const Options& options, const Features& features) {
  return std::make_shared<StatementLstm>(options, features);
}

}  // namespace hone::train
