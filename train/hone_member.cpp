#include "train/hone_member.h"

#include <cmath>

namespace hone::train {

using torch::Tensor;

namespace {

// Numbers between a machine's descriptor and what it changes: machines are few, and so is what can be
// learned of them.
constexpr std::int64_t kMachineWidth = 8;

}  // namespace

RowEncoderImpl::RowEncoderImpl(std::int64_t columns, std::int64_t width, std::int64_t heads)
    : encoder_(register_module("encoder", Chain(std::vector{columns, width, width}, true))) {
  if (heads > 0) attention_ = register_module("attention", SelfAttention(width, heads));
}

Tensor RowEncoderImpl::forward(const Tensor& rows, const View& view) {
  // Sums grow with the rows, so they are taken on a scale on which a program of ten rows is ordinary.
  constexpr double kOrdinaryRows = 10;
  Tensor x = view.pad(encoder_->forward(rows));
  if (!attention_.is_empty()) {
    const Tensor mask = view.mask();
    x = torch::relu(attention_->forward(x, mask) + x) * mask.unsqueeze(2);
  }
  // After ReLU nothing is below the zeros of the padding.
  return torch::cat({x.sum(1) / kOrdinaryRows, x.amax(1)}, 1);
}

AdaptersImpl::AdaptersImpl(std::int64_t platforms, std::int64_t inputs, std::int64_t outputs,
                           std::int64_t rank) {
  const double range = 1 / std::sqrt(static_cast<double>(inputs));
  down_ = register_parameter("down", torch::empty({platforms, rank, inputs}).uniform_(-range, range));
  up_ = register_parameter("up", torch::zeros({platforms, outputs, rank}));
}

Tensor AdaptersImpl::forward(const Tensor& x, const Tensor& platform) {
  Tensor out = torch::zeros({x.size(0), up_.size(1)}, x.options());
  for (std::int64_t i = 0; i < up_.size(0); ++i) {
    // Of all programs, the others times 0: to pick a machine's own, one would have to wait for their
    // number.
    const Tensor own = (platform == i).to(x.dtype()).unsqueeze(1);
    out = out + torch::matmul(torch::matmul(x, down_[i].t()) * own, up_[i].t());
  }
  return out;
}

Tensor AdaptersImpl::change(std::int64_t platform) const {
  return torch::matmul(up_[platform], down_[platform]);
}

MemberImpl::MemberImpl(const Options& options, const Features& features) {
  const std::int64_t width = options.whole("width"), fused = options.whole("fused_width");
  for (const std::string& name : kRowViews) {
    const std::int64_t heads = name == "primitives" ? options.whole("heads") : 0;
    encoders_.push_back(register_module(name, RowEncoder(features.info(name).columns, width, heads)));
  }
  std::int64_t inputs = 0;
  const auto place = [&](const std::string& name, std::int64_t size) {
    place_of_[name] = {inputs, size};
    inputs += size;
  };
  for (const std::string& name : kWholeViews) place(name, features.info(name).columns);
  for (const std::string& name : kRowViews) place(name, 2 * width);
  fuse_ = register_module("fuse", Chain(std::vector{inputs, fused}, false));
  blocks_ = register_module("blocks", ResidualBlocks(fused, options.whole("blocks")));
  heads_ = register_module("heads", torch::nn::Linear(fused, 2));
  // Last, so that a model without them begins with the same weights.
  if (options.text("machine") == "descriptor") {
    const std::int64_t columns = features.info("machine").columns;
    machine_ = register_module("machine", Chain(std::vector{columns, kMachineWidth, 2 * fused}, false));
    const torch::NoGradGuard no_gradient;
    for (const char* of_last : {"1.weight", "1.bias"}) machine_->named_parameters()[of_last].zero_();
  }
  if (const std::int64_t rank = options.whole("adapters"); rank > 0)
    adapters_ = register_module(
        "adapters",
        Adapters(static_cast<std::int64_t>(features.platforms().size()), inputs, fused, rank));
}

Tensor MemberImpl::encode(const Batch& batch, const std::vector<Tensor>& rows, const Tensor& whole) {
  std::vector<Tensor> parts = {whole};
  for (std::size_t i = 0; i < kRowViews.size(); ++i)
    parts.push_back(encoders_[i]->forward(rows[i], batch.view(kRowViews[i])));
  return torch::cat(parts, 1);
}

Tensor MemberImpl::forward(const Tensor& encoded, const Where& where) {
  Tensor x = fuse_->forward(encoded);
  if (!adapters_.is_empty() && where.platform.defined())
    x = x + adapters_->forward(encoded, where.platform);
  if (!machine_.is_empty()) {
    const std::vector<Tensor> factor_and_shift = machine_->forward(where.descriptor).chunk(2, 1);
    x = x * (1 + factor_and_shift[0]) + factor_and_shift[1];
  }
  return heads_->forward(blocks_->forward(torch::relu(x)));
}

void MemberImpl::never_see(const std::string& view) {
  const auto [from, size] = place_of_.at(view);
  const auto without = [from, size](const Tensor& of_weight) {
    Tensor seen = of_weight.clone();
    seen.narrow(1, from, size).zero_();
    return seen;
  };
  Tensor weight = fuse_->named_parameters()["0.weight"];
  {
    const torch::NoGradGuard no_gradient;
    weight.copy_(without(weight));
  }
  weight.register_hook(without);
}

void MemberImpl::keep_platform(std::int64_t platform) {
  if (adapters_.is_empty()) return;
  const torch::NoGradGuard no_gradient;
  fuse_->named_parameters()["0.weight"].add_(adapters_->change(platform));
  drop_adapters();
}

void MemberImpl::drop_adapters() {
  if (adapters_.is_empty()) return;
  unregister_module("adapters");
  adapters_ = Adapters(nullptr);
}

}  // namespace hone::train
