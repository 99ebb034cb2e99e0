#include "train/adam.h"

#include <gtest/gtest.h>

#include <sstream>

namespace hone::train {
namespace {

using torch::Tensor;

struct Pair {
  Tensor first = torch::full({3, 2}, 0.5), second = torch::ones({4});

  Pair() {
    for (Tensor* tensor : {&first, &second}) tensor->requires_grad_();
  }
  std::vector<Tensor> all() const { return {first, second}; }
  // Steep enough to be shortened in the first steps; only even steps know of the second parameter.
  Tensor loss(int step) const {
    const Tensor of_first = (first - torch::arange(6).view({3, 2})).square().sum();
    return step % 2 == 0 ? of_first + second.pow(4).sum() : of_first;
  }
};

TEST(Adam, GoesTheWayOfTorchsWhereEveryParameterHasAGradient) {
  constexpr double kRate = 0.05, kDecay = 1e-3, kClip = 2;
  Pair ours, torchs;
  Adam adam(ours.all(), kDecay);
  torch::optim::Adam reference(torchs.all(), torch::optim::AdamOptions(kRate).weight_decay(kDecay));
  for (int step = 0; step < 20; ++step) {
    adam.zero_grad();
    ours.loss(0).backward();
    adam.step(kRate, kClip);
    reference.zero_grad();
    torchs.loss(0).backward();
    torch::nn::utils::clip_grad_norm_(torchs.all(), kClip);
    reference.step();
  }
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_TRUE(torch::allclose(ours.all()[i], torchs.all()[i], 1e-5, 1e-7)) << ours.all()[i];
}

TEST(Adam, LeavesWhatHadNoPartInTheLoss) {
  Pair pair;
  Adam adam(pair.all(), 0.1);
  pair.loss(0).backward();
  adam.step(0.1, 0);
  const Tensor before = pair.second.detach().clone();
  adam.zero_grad();
  pair.loss(1).backward();
  adam.step(0.1, 0);
  EXPECT_TRUE(torch::equal(pair.second, before));
}

TEST(Adam, GoesOnFromAnArchive) {
  const auto train = [](Pair& pair, Adam& adam, int from, int to) {
    for (int step = from; step < to; ++step) {
      adam.zero_grad();
      pair.loss(step).backward();
      adam.step(0.1, 1);
    }
  };
  Pair whole, halves;
  Adam adam(whole.all(), 0), first(halves.all(), 0), second(halves.all(), 0);
  train(whole, adam, 0, 7);
  train(halves, first, 0, 3);
  std::stringstream bytes;
  torch::serialize::OutputArchive out;
  first.save(out);
  out.save_to(bytes);
  torch::serialize::InputArchive in;
  in.load_from(bytes);
  second.load(in);
  train(halves, second, 3, 7);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_TRUE(torch::equal(whole.all()[i], halves.all()[i]));
}

}  // namespace
}  // namespace hone::train
