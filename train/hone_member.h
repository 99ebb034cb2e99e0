// One of the small networks of hone's model.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "train/layers.h"
#include "train/options.h"
#include "train/views.h"

namespace hone::train {

// What a member reads: rows one by one, then whole programs, of which there is one row each.
inline const std::vector<std::string> kRowViews = {"statements", "primitives"};
inline const std::vector<std::string> kWholeViews = {"context", "summary"};

// Rows encoded one by one, then their sum (how much there is) and their maximum (what stands out).
class RowEncoderImpl : public torch::nn::Module {
 public:
  RowEncoderImpl(std::int64_t columns, std::int64_t width, std::int64_t heads);
  torch::Tensor forward(const torch::Tensor& rows, const View& view);

 private:
  Chain encoder_{nullptr};
  SelfAttention attention_{nullptr};
};
TORCH_MODULE(RowEncoder);

// A change of a linear layer for each platform, of low rank: what is particular about a machine is
// little, and little is known of it. Starts as no change.
class AdaptersImpl : public torch::nn::Module {
 public:
  AdaptersImpl(std::int64_t platforms, std::int64_t inputs, std::int64_t outputs, std::int64_t rank);
  // What is added to the layer's output of each of n programs; `platform` is [n].
  torch::Tensor forward(const torch::Tensor& x, const torch::Tensor& platform);
  torch::Tensor change(std::int64_t platform) const;  // of the layer's weight, [outputs, inputs]

 private:
  torch::Tensor down_, up_;  // [platforms, rank, inputs], [platforms, outputs, rank]
};
TORCH_MODULE(Adapters);

// Where programs run, [n, ...] each. What is undefined is not known.
struct Where {
  torch::Tensor descriptor;  // normalised
  torch::Tensor platform;
};

// The views meet late, as one vector each, so that rows which siblings share are encoded once.
class MemberImpl : public torch::nn::Module {
 public:
  MemberImpl(const Options& options, const Features& features);

  // All that does not depend on the machine. `rows` and `whole` are normalised.
  torch::Tensor encode(const Batch& batch, const std::vector<torch::Tensor>& rows,
                       const torch::Tensor& whole);
  // [n, 2]: log of latency / best of the task, and the logit of being valid.
  torch::Tensor forward(const torch::Tensor& encoded, const Where& where);

  // The weights that look at the view are 0 and stay so, however it is trained; adapters still see it.
  void never_see(const std::string& view);

  // The adapter of the platform becomes part of the shared weights, and all adapters go.
  void keep_platform(std::int64_t platform);
  void drop_adapters();

 private:
  std::map<std::string, std::pair<std::int64_t, std::int64_t>>
      place_of_;  // in what is fused: from, size
  std::vector<RowEncoder> encoders_;
  Chain fuse_{nullptr};
  Adapters adapters_{nullptr};
  Chain machine_{nullptr};
  ResidualBlocks blocks_{nullptr};
  torch::nn::Linear heads_{nullptr};
};
TORCH_MODULE(Member);

}  // namespace hone::train
