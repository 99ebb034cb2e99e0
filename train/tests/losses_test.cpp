#include "train/losses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace hone::train {
namespace {

using torch::Tensor;

Tensor row(const std::vector<double>& values) {
  return torch::tensor(values, torch::kDouble).unsqueeze(0);
}
Tensor everywhere(const Tensor& like) { return torch::ones_like(like, torch::kBool); }

struct Example {
  Tensor scores = row({0.2, -0.5, 1.3, 0, 0.7});
  Tensor labels = row({1, 0.1, 0.4, 0, 0.75});
  Tensor mask = everywhere(scores);
};

Tensor gradient_of(const ListLoss& loss, const Example& example) {
  const Tensor scores = example.scores.clone().requires_grad_();
  loss(scores, example.labels, example.mask).backward();
  return scores.grad();
}

// The two halves of a difference must not change the order that LambdaRank takes as a constant.
Tensor differences_of(const ListLoss& loss, const Example& example) {
  constexpr double kStep = 1e-6;
  Tensor out = torch::zeros_like(example.scores);
  for (std::int64_t i = 0; i < example.scores.numel(); ++i) {
    const auto moved = [&](double by) {
      Tensor scores = example.scores.clone();
      scores.view(-1)[i] += by;
      return loss(scores, example.labels, example.mask).item<double>();
    };
    out.view(-1)[i] = (moved(kStep) - moved(-kStep)) / (2 * kStep);
  }
  return out;
}

// Two lists of different lengths; the programs of the first are those of Example.
Example two_lists() {
  Example two;
  two.scores = torch::cat({two.scores, row({0.3, 0.1, -0.4, 9, 9})});
  two.labels = torch::cat({two.labels, row({0.2, 1, 0.5, 5, 5})});
  two.mask = everywhere(two.scores);
  two.mask[1].slice(0, 3).fill_(false);
  return two;
}

const std::vector<std::string> kNames = {"lambdarank", "ranknet", "listnet", "mse", "rmse"};

TEST(Losses, LambdaRankHasItsGoldenValueAndGradient) {
  const Example example;
  EXPECT_NEAR(lambda_rank(example.scores, example.labels, example.mask).item<double>(), 0.80067668,
              1e-8);
  const Tensor golden = row({-0.30909738, 0.07913205, 0.25020514, 0.10451966, -0.12475946});
  EXPECT_TRUE(torch::allclose(gradient_of(lambda_rank, example), golden, 0, 1e-8));
}

TEST(Losses, GradientsAreThoseOfSmallDifferences) {
  for (const std::string& name : kNames) {
    const ListLoss loss = loss_named(name);
    for (const Example& example : {Example(), two_lists()}) {
      EXPECT_TRUE(
          torch::allclose(gradient_of(loss, example), differences_of(loss, example), 1e-6, 1e-8))
          << name;
    }
  }
}

TEST(Losses, RobustErrorIsQuadraticNearAndLinearFar) {
  const auto robust = [](const Tensor& scores, const Tensor& labels, const Tensor& mask) {
    return robust_error(scores, labels, mask, 0.5);
  };
  const Example example = two_lists();
  EXPECT_TRUE(
      torch::allclose(gradient_of(robust, example), differences_of(robust, example), 1e-6, 1e-8));
  const Tensor one = row({0});
  EXPECT_DOUBLE_EQ(robust(row({0.4}), one, everywhere(one)).item<double>(), 0.08);
  EXPECT_DOUBLE_EQ(robust(row({-3}), one, everywhere(one)).item<double>(), 0.5 * (3 - 0.25));
}

// A list is judged by itself, and what is not there does not count.
TEST(Losses, ListsDoNotSeeEachOther) {
  const Example two = two_lists();
  Example first;
  Example second;
  second.scores = two.scores.slice(0, 1).slice(1, 0, 3);
  second.labels = two.labels.slice(0, 1).slice(1, 0, 3);
  second.mask = everywhere(second.scores);
  for (const char* name : {"lambdarank", "listnet"}) {
    const auto value = [&](const Example& example) {
      return loss_named(name)(example.scores, example.labels, example.mask).item<double>();
    };
    EXPECT_NEAR(value(two), value(first) + value(second), 1e-12) << name;
  }
}

TEST(Losses, ManyRowsOfPairsAreWorkedOnInParts) {
  torch::manual_seed(1);
  Example large;
  large.scores = torch::randn({1, 1500}, torch::kDouble);
  large.labels = torch::rand({1, 1500}, torch::kDouble);
  large.mask = everywhere(large.scores);
  const Tensor difference = large.scores.unsqueeze(2) - large.scores.unsqueeze(1);
  const Tensor order =
      large.scores.argsort(/*dim=*/1, /*descending=*/true).argsort(/*dim=*/1, /*descending=*/false);
  const Tensor discount = 1 / torch::log2(order.to(torch::kDouble) + 2);
  const Tensor gain = torch::exp2(large.labels) - 1;
  const Tensor ideal =
      std::get<0>(gain.sort(1, true)) / torch::log2(torch::arange(1500, torch::kDouble) + 2);
  const auto pairs = [](const Tensor& x) { return (x.unsqueeze(2) - x.unsqueeze(1)); };
  const Tensor weight = (pairs(discount) * pairs(gain)).abs() / ideal.sum();
  const Tensor wanted =
      -(weight * torch::log2(torch::sigmoid(difference)) * (pairs(large.labels) > 0)).sum();
  EXPECT_NEAR(lambda_rank(large.scores, large.labels, large.mask).item<double>(), wanted.item<double>(),
              1e-6);
}

TEST(Losses, ClampedPairsPullNoLonger) {
  Example far;
  far.scores = row({-40, 40});
  far.labels = row({1, 0});
  far.mask = everywhere(far.scores);
  EXPECT_EQ(gradient_of(lambda_rank, far).abs().max().item<double>(), 0);
  EXPECT_TRUE(std::isfinite(lambda_rank(far.scores, far.labels, far.mask).item<double>()));
}

TEST(Losses, NothingToCompareIsZeroAndNoNaN) {
  for (const std::string& name : kNames) {
    Example none;
    none.mask = torch::zeros_like(none.scores, torch::kBool);
    EXPECT_EQ(loss_named(name)(none.scores, none.labels, none.mask).item<double>(), 0) << name;
    EXPECT_EQ(gradient_of(loss_named(name), none).abs().max().item<double>(), 0) << name;
  }
  Example one;
  one.scores = row({0.5});
  one.labels = row({1});
  one.mask = everywhere(one.scores);
  EXPECT_EQ(lambda_rank(one.scores, one.labels, one.mask).item<double>(), 0);
}

TEST(Losses, UnknownNamesAreRefusedWithAHint) {
  try {
    loss_named("lamdarank");
    FAIL();
  } catch (const UserError& error) {
    EXPECT_EQ(error.hint(), "did you mean 'lambdarank'?");
  }
}

}  // namespace
}  // namespace hone::train
