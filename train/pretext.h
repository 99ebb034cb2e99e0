// What a network can learn of programs before it knows their speed: which step comes next, or which
// steps are missing. What predicts rows is thrown away afterwards; the backbone stays.
#pragma once
#include <atomic>
#include <string>
#include <vector>

#include "train/event.h"
#include "train/tlp_backbone.h"

namespace hone::train {

struct Pretraining {
  const Options& options;
  const Features& features;
  const std::vector<Program>& programs;
  const Listener& listener;
  const std::atomic<bool>& stop;
};

// How far predicted rows are from rows of TLP, the mean over rows: the cross-entropy of the kind of
// step
// (`said` begins with a logit a kind, and one for the end of the program), and of steps the squared
// error of its numbers, both on a logarithmic scale. said: [rows, columns + 1], rows: [rows, columns].
torch::Tensor row_error(const torch::Tensor& said, const torch::Tensor& rows);

// Rows as they were predicted and as they are.
struct Guess {
  torch::Tensor said, rows;
};

// Rows of a program predicted from others.
class PretextImpl : public torch::nn::Module {
 public:
  explicit PretextImpl(const TlpBackbone& backbone);

  // Each step from those before it.
  Guess next(TlpBackbone& backbone, const Batch& batch);
  // The steps of `hidden` [n, steps] from the others; they know their own place and nothing else.
  Guess masked(TlpBackbone& backbone, const Batch& batch, const torch::Tensor& hidden);

 private:
  torch::nn::Linear head_{nullptr};
  torch::Tensor place_;  // [steps, width]: what stands in the place of a hidden step
};
TORCH_MODULE(Pretext);

// pretrain: none, next or masked; pretrain_epochs.
Options pretext_options();

// Does what the options say; false when it was stopped. UserError for a backbone without attention.
bool pretrain(TlpBackbone& backbone, torch::nn::Module& owner, const Pretraining& work);

}  // namespace hone::train
