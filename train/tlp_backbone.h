// What TLP and MTL-TLP share: how the steps of a schedule become what a decoder reads.
#pragma once
#include <string>
#include <vector>

#include "train/layers.h"
#include "train/options.h"
#include "train/views.h"

namespace hone::train {

// sign(x) log2(1 + |x|): TLP's numbers are extents and places as they are, up to 3e8 beside ones. 0 and
// 1 stay what they are, so that whole rows may be scaled, flags and padding included.
torch::Tensor log_scale(const torch::Tensor& numbers);

// Padding rows are ordinary tokens: they are encoded, looked at and summed, as published. There is no
// mask, no position and, unless the option `numbers` is log, no scale.
class TlpBackbone {
 public:
  // The layers become `owner`'s, under the names of TLP.
  TlpBackbone(torch::nn::Module& owner, const Options& options, const Features& features);

  std::int64_t width() const { return decoder_widths_.front(); }
  std::int64_t steps() const { return steps_; }
  std::int64_t columns() const { return columns_; }
  // Extents of up to 3e8 beside flags of 0 and 1: rounded to ten bits, they drown the flags.
  bool needs_all_bits() const { return !has_log_numbers_; }
  // Puts what was found in the features in the place of 0.
  void settle(Options& options) const;

  torch::Tensor rows(const Batch& batch) const;     // [n, steps, columns], not scaled
  torch::Tensor present(const Batch& batch) const;  // [n, steps]: where a step is and no padding
  torch::Tensor encode(const torch::Tensor& rows);  // [n, steps, width], each step by itself
  // Steps that have looked at each other: [n, steps, width], or with an LSTM [n, width]. `mask`
  // [n, steps, steps] says who may look at whom, all at all when it is not defined.
  torch::Tensor mix(torch::Tensor encoded, const torch::Tensor& mask = {});
  // mix(encode(rows(batch))). What looks at one step at a time sees each of a batch's different rows
  // once: of 4096 programs of public records they are a twentieth of all.
  torch::Tensor forward(const Batch& batch);

  Chain make_decoder() const { return Chain(decoder_widths_, false); }
  // [n]: what the decoder makes of each step, summed; of an LSTM's last state it is one value.
  torch::Tensor decode(Chain& decoder, const torch::Tensor& mixed) const;

 private:
  torch::Tensor mix_from(std::size_t layer, torch::Tensor x, const torch::Tensor& mask = {});

  std::string view_;
  bool has_log_numbers_;
  std::int64_t steps_ = 0, columns_ = 0;
  std::vector<std::int64_t> decoder_widths_;
  Chain encoder_{nullptr};
  std::vector<SelfAttention> attention_;
  torch::nn::LSTM lstm_{nullptr};
  ResidualBlocks blocks_{nullptr};
};

// Those of TLP, with the published recipe.
Options tlp_backbone_options();

}  // namespace hone::train
