#include "train/tlp.h"

#include "base/error.h"
#include "train/kinds.h"
#include "train/layers.h"
#include "train/model.h"

namespace hone::train {
namespace {

using torch::Tensor;

// The widths of the per-step layers for each width the paper tried.
struct Widths {
  std::vector<std::int64_t> encoder, decoder;
};

Widths widths_for(std::int64_t width, std::int64_t columns) {
  if (width == 256) return {{columns, 64, 128, 256, 256}, {256, 256, 128, 64, 1}};
  if (width == 512) return {{columns, 64, 128, 256, 512}, {512, 256, 128, 64, 1}};
  if (width == 768 || width == 1024) return {{columns, 64, 256, 512, width}, {width, 512, 256, 128, 1}};
  throw UserError("TLP has no width of " + std::to_string(width), "choose 256, 512, 768 or 1024");
}

struct Crop {
  std::int64_t steps, columns;
};

// Rows are cut at the end, and so are programs: what is lost first is what long schedules do last.
Crop crop_of(const Options& options, const Features::Info& info) {
  const auto chosen = [&](const char* name, std::int64_t stored) {
    const std::int64_t asked = options.whole(name);
    if (asked > stored)
      throw UserError("option " + std::string(name) + " is " + std::to_string(asked) +
                          ", but the features have " + std::to_string(stored),
                      "add longer features with `hone dataset features`, or ask for less");
    return asked == 0 ? stored : asked;
  };
  if (info.length == 0)
    throw UserError("the features of TLP do not say how many steps a program is padded to",
                    "add them again with `hone dataset features`");
  return {chosen("steps", info.length), chosen("columns", info.columns)};
}

// Padding rows are ordinary tokens: they are encoded, looked at and summed, as published. There is no
// mask, no position and no normalisation.
class Tlp final : public ScoreModel {
 public:
  Tlp(const Options& options, const Features& features)
      : ScoreModel(options),
        rows_(options.text("rows")),
        crop_(crop_of(options, features.info(rows_))) {
    const std::int64_t width = options.whole("width");
    const Widths widths = widths_for(width, crop_.columns);
    encoder_ = register_module("encoder", Chain(widths.encoder, true));
    const std::string& backend = options.word("backend", {"attention", "lstm"});
    if (backend == "lstm") {
      lstm_ = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(width, width)
                                                          .num_layers(options.whole("layers"))
                                                          .batch_first(true)));
    } else {
      for (std::int64_t i = 0; i < options.whole("layers"); ++i)
        attention_.push_back(register_module("attention" + std::to_string(i),
                                             SelfAttention(width, options.whole("heads"))));
    }
    blocks_ = register_module("blocks", ResidualBlocks(width, options.whole("blocks")));
    decoder_ = register_module("decoder", Chain(widths.decoder, false));
  }

  void settle(Options& options) const override {
    options.set("steps", std::to_string(crop_.steps));
    options.set("columns", std::to_string(crop_.columns));
  }

  Tensor score(const Batch& batch) override {
    const View& view = batch.view(rows_);
    Tensor x = view.pad(view.rows.narrow(1, 0, crop_.columns), crop_.steps);  // [n, steps, columns]
    x = encoder_->forward(x);
    if (!lstm_.is_empty()) {
      x = std::get<0>(lstm_->forward(x)).select(1, crop_.steps - 1);
      return decoder_->forward(blocks_->forward(x)).squeeze(1);
    }
    for (SelfAttention& attention : attention_) x = attention->forward(x) + x;
    return decoder_->forward(blocks_->forward(x)).sum(1).squeeze(1);
  }

 private:
  std::string rows_;
  Crop crop_;
  Chain encoder_{nullptr}, decoder_{nullptr};
  std::vector<SelfAttention> attention_;
  torch::nn::LSTM lstm_{nullptr};
  ResidualBlocks blocks_{nullptr};
};

}  // namespace

Options tlp_options() {
  return published_recipe()
      .with({{"batch", "4096"}})
      .and_also({
          {"backend", "attention", "what looks along the steps: attention or lstm"},
          {"rows", "tlp", "the features: tlp, or others of its kind such as tlp_54x40"},
          {"steps", "0", "of a program that are kept, from its beginning; 0: as many as are stored"},
          {"columns", "0", "of a step that are kept; 0: as many as are stored"},
          {"width", "256", "of the hidden layers: 256, 512, 768 or 1024"},
          {"heads", "8", "of attention"},
          {"layers", "1", "of the back end"},
          {"blocks", "2", "residual blocks behind it"},
      });
}

std::shared_ptr<Model> make_tlp(const Options& options, const Features& features) {
  return std::make_shared<Tlp>(options, features);
}

}  // namespace hone::train
