#include "train/tlp_backbone.h"

#include "base/error.h"
#include "train/kinds.h"

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

// Rows are cut at the end, and so are programs: what is lost first is what long schedules do last.
std::int64_t cropped(const Options& options, const char* name, std::int64_t stored) {
  const std::int64_t asked = options.whole(name);
  if (asked > stored)
    throw UserError("option " + std::string(name) + " is " + std::to_string(asked) +
                        ", but the features have " + std::to_string(stored),
                    "add longer features with `hone dataset features`, or ask for less");
  return asked == 0 ? stored : asked;
}

}  // namespace

Tensor log_scale(const Tensor& numbers) { return numbers.sign() * torch::log2(numbers.abs() + 1); }

TlpBackbone::TlpBackbone(torch::nn::Module& owner, const Options& options, const Features& features)
    : view_(options.text("rows")), has_log_numbers_(options.word("numbers", {"raw", "log"}) == "log") {
  const Features::Info& info = features.info(view_);
  if (info.length == 0)
    throw UserError("the features of TLP do not say how many steps a program is padded to",
                    "add them again with `hone dataset features`");
  steps_ = cropped(options, "steps", info.length);
  columns_ = cropped(options, "columns", info.columns);
  const std::int64_t width = options.whole("width"), layers = options.whole("layers");
  const Widths widths = widths_for(width, columns_);
  decoder_widths_ = widths.decoder;
  encoder_ = owner.register_module("encoder", Chain(widths.encoder, true));
  if (options.word("backend", {"attention", "lstm"}) == "lstm") {
    const auto shape = torch::nn::LSTMOptions(width, width).num_layers(layers).batch_first(true);
    lstm_ = owner.register_module("lstm", torch::nn::LSTM(shape));
  } else {
    for (std::int64_t i = 0; i < layers; ++i)
      attention_.push_back(owner.register_module("attention" + std::to_string(i),
                                                 SelfAttention(width, options.whole("heads"))));
  }
  blocks_ = owner.register_module("blocks", ResidualBlocks(width, options.whole("blocks")));
}

void TlpBackbone::settle(Options& options) const {
  options.set("steps", std::to_string(steps_));
  options.set("columns", std::to_string(columns_));
}

Tensor TlpBackbone::rows(const Batch& batch) const {
  const View& view = batch.view(view_);
  return view.pad(view.rows.narrow(1, 0, columns_), steps_);
}

Tensor TlpBackbone::present(const Batch& batch) const {
  const View& view = batch.view(view_);
  return view.pad(torch::ones({view.rows.size(0), 1}, view.rows.options()), steps_).squeeze(2) > 0;
}

Tensor TlpBackbone::encode(const Tensor& rows) {
  return encoder_->forward(has_log_numbers_ ? log_scale(rows) : rows);
}

Tensor TlpBackbone::forward(const Batch& batch) {
  const View& view = batch.view(view_);
  const Tensor rows = view.rows.narrow(1, 0, columns_);
  const Tensor different = view.which.defined() ? rows.index_select(0, view.different) : rows;
  const Tensor which =
      view.which.defined() ? view.which : torch::arange(rows.size(0), view.place.options());
  // Padding is row 0.
  const Tensor encoded = encode(torch::constant_pad_nd(different, {0, 0, 1, 0}));
  const Tensor place = view.pad((which + 1).unsqueeze(1), steps_).view(-1);
  const auto everywhere = [&](const Tensor& values) {
    return values.index_select(0, place).view({batch.n, steps_, values.size(1)});
  };
  if (attention_.empty()) return mix(everywhere(encoded));
  const Tensor seen = attention_.front()->attend(everywhere(attention_.front()->project(encoded)));
  return mix_from(1, seen + everywhere(encoded));
}

Tensor TlpBackbone::mix(Tensor x, const Tensor& mask) {
  if (!lstm_.is_empty()) x = std::get<0>(lstm_->forward(x)).select(1, steps_ - 1);
  return mix_from(0, x, mask);
}

Tensor TlpBackbone::mix_from(std::size_t layer, Tensor x, const Tensor& mask) {
  for (; layer < attention_.size(); ++layer) x = attention_[layer]->forward(x, mask) + x;
  return blocks_->forward(x);
}

Tensor TlpBackbone::decode(Chain& decoder, const Tensor& mixed) const {
  const Tensor decoded = decoder->forward(mixed);
  return lstm_.is_empty() ? decoded.sum(1).squeeze(1) : decoded.squeeze(1);
}

Options tlp_backbone_options() {
  return published_recipe()
      .with({{"batch", "4096"}})
      .and_also({
          {"backend", "attention", "what looks along the steps: attention or lstm"},
          {"rows", "tlp", "the features: tlp, or others of its kind such as tlp_54x40"},
          {"steps", "0", "of a program that are kept, from its beginning; 0: as many as are stored"},
          {"columns", "0", "of a step that are kept; 0: as many as are stored"},
          {"numbers", "raw",
           "of a step, as they are read: raw, or log, which is sign(x) log2(1 + |x|)"},
          {"width", "256", "of the hidden layers: 256, 512, 768 or 1024"},
          {"heads", "8", "of attention"},
          {"layers", "1", "of the back end"},
          {"blocks", "2", "residual blocks behind it"},
      });
}

}  // namespace hone::train
