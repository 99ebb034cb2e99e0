#include "train/tabnet.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "train/ghost_norm.h"
#include "train/sparsemax.h"
#include "train/tests/by_hand.h"
#include "train/tests/models.h"

namespace hone::train {
namespace {

// The threshold by halving: what exceeds it adds up to 1.
Numbers sparsemax_by_halving(Numbers x) {
  double low = *std::ranges::min_element(x) - 1, high = *std::ranges::max_element(x);
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (const double value : x) sum += std::max(0.0, value - middle);
    (sum > 1 ? low : high) = middle;
  }
  for (double& value : x) value = std::max(0.0, value - low);
  return x;
}

TEST(Sparsemax, IsTheNearestPointOfTheSimplex) {
  torch::manual_seed(3);
  torch::Tensor x = 2 * torch::randn({20, 9}, torch::kDouble);
  x[0].fill_(4);          // all alike
  x[1][3] = 100;          // one takes all
  x[2][1] = x[2][0] = 3;  // a tie
  const Table given = table_of(x), said = table_of(sparsemax(x));
  bool has_zeros = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const Numbers expected = sparsemax_by_halving(given[i]);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      EXPECT_NEAR(said[i][j], expected[j], 1e-12) << i << ", " << j;
      has_zeros = has_zeros || said[i][j] == 0;
    }
  }
  EXPECT_TRUE(has_zeros);
}

TEST(Sparsemax, ItsGradientIsThatOfSmallDifferences) {
  torch::manual_seed(4);
  const torch::Tensor direction = torch::randn({6, 7}, torch::kDouble);
  const torch::Tensor x = torch::randn({6, 7}, torch::kDouble).requires_grad_();
  const auto value = [&](const torch::Tensor& at) { return (sparsemax(at) * direction).sum(); };
  value(x).backward();
  constexpr double kStep = 1e-6;
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 7; ++j) {
      torch::Tensor step = torch::zeros_like(x);
      step[i][j] = kStep;
      const double slope = (value(x + step) - value(x - step)).item<double>() / (2 * kStep);
      EXPECT_NEAR(x.grad()[i][j].item<double>(), slope, 1e-6) << i << ", " << j;
    }
  }
}

TEST(GhostNorm, NormalisesPartsAndRemembersAll) {
  torch::manual_seed(5);
  GhostNorm norm(3, 4, 0.5);
  const torch::Tensor x = 2 * torch::randn({8, 3}) + torch::arange(8).unsqueeze(1);
  const torch::Tensor normal = norm->forward(x);
  for (const torch::Tensor& part : normal.chunk(2)) {
    EXPECT_LT(part.mean(0).abs().max().item<double>(), 1e-5);
    EXPECT_NEAR(part.var(0, false).mean().item<double>(), 1, 1e-3);
  }
  const auto buffers = norm->named_buffers();
  const auto first = x.slice(0, 0, 4), second = x.slice(0, 4, 8);
  EXPECT_TRUE(torch::allclose(buffers["mean"], 0.25 * first.mean(0) + 0.5 * second.mean(0)));
  EXPECT_TRUE(torch::allclose(buffers["variance"], 0.25 + 0.25 * first.var(0) + 0.5 * second.var(0)));
  GhostNorm ragged(3, 4, 0.5);  // rows 0 to 3 and 4 to 7, and the two that are left
  const torch::Tensor longer = torch::cat({x, 3 * torch::randn({2, 3})});
  const torch::Tensor left = longer.slice(0, 8, 10);
  EXPECT_TRUE(torch::allclose(ragged->forward(longer).slice(0, 0, 8), normal, 1e-4, 1e-5));
  EXPECT_TRUE(torch::allclose(ragged->named_buffers()["mean"],
                              0.5 * buffers["mean"] + 0.5 * left.mean(0), 1e-4, 1e-5));
  norm->eval();
  EXPECT_TRUE(torch::allclose(norm->forward(x).slice(0, 2, 3), norm->forward(x.slice(0, 2, 3))));
  norm->train();
  EXPECT_TRUE(norm->forward(x.slice(0, 0, 1)).isfinite().all().item<bool>()) << "a row by itself";
}

constexpr std::size_t kStepWidth = 4;

Numbers ghost_norm(const ByHand& weights, const std::string& name, Numbers x) {
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = (x[i] - weights.at(name + ".mean")[i]) /
               std::sqrt(weights.at(name + ".variance")[i] + 1e-5) * weights.at(name + ".weight")[i] +
           weights.at(name + ".bias")[i];
  return x;
}

Numbers transformed(const ByHand& weights, const std::string& name, Numbers x) {
  const std::vector<std::string> layers = {"encoder.shared0", "encoder.shared1", name + ".own0",
                                           name + ".own1"};
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const Numbers both =
        ghost_norm(weights, name + ".norm" + std::to_string(i), weights.linear(layers[i], x));
    Numbers y;
    for (std::size_t j = 0; j < both.size() / 2; ++j)
      y.push_back(both[j] / (1 + std::exp(-both[both.size() / 2 + j])));
    if (i > 0)
      for (std::size_t j = 0; j < y.size(); ++j) y[j] = (y[j] + x[j]) / std::sqrt(2);
    x = y;
  }
  return x;
}

// A statement that was normalised, as the encoder is to say it.
Numbers tabnet_by_definition(const ByHand& weights, const Numbers& row) {
  const Numbers x = ghost_norm(weights, "encoder.first_norm", row);
  Numbers said = transformed(weights, "encoder.first", x), prior(x.size(), 1), sum(kStepWidth);
  for (const char* number : {"0", "1", "2"}) {
    const std::string step(number);
    const Numbers attention(said.begin() + kStepWidth, said.end());
    Numbers mask = ghost_norm(weights, "encoder.attentive" + step + ".norm",
                              weights.linear("encoder.attentive" + step + ".layer", attention));
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] *= prior[i];
    mask = sparsemax_by_halving(mask);
    Numbers looked_at = x;
    for (std::size_t i = 0; i < mask.size(); ++i) {
      looked_at[i] *= mask[i];
      prior[i] *= 1.3 - mask[i];
    }
    said = transformed(weights, "encoder.transformer" + step, looked_at);
    for (std::size_t i = 0; i < kStepWidth; ++i) sum[i] += std::max(0.0, said[i]);
  }
  return weights.linear("encoder.decoder", sum);
}

TEST_F(Models, TabNetIsItsDefinition) {
  const DataSet data = set({.statement_columns = 6});
  const Features features(data, {"statements", "embedding"}, torch::kCPU);
  std::vector<Program> all(data.n_programs());
  std::iota(all.begin(), all.end(), 0);
  const std::vector<std::string> small = {"width=12", "step_width=4", "ghost_batch=16"};
  const auto network = model("tabnet", features, small);
  network->learn_inputs(features, all);
  disturb(*network);
  for (int i = 0; i < 5; ++i) network->predict(features.batch(all));  // to learn the ranges
  const torch::Tensor said = scores(*network, features.batch(all));
  const ByHand weights(*network);
  for (const Program program : {0U, 1U, 2U, 45U}) {
    const Batch batch = features.batch({program});
    Numbers flags = table_of(batch.view("embedding").rows)[0], sum(12);
    flags.push_back(0);
    for (Numbers row : table_of(batch.view("statements").rows)) {
      row.insert(row.end(), flags.begin(), flags.end());
      const Numbers encoded = tabnet_by_definition(weights, weights.normalised("rows.normaliser", row));
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += encoded[i];
    }
    EXPECT_NEAR(said[program].item<double>(), weights.decoded(sum), 1e-3) << program;
  }
}

}  // namespace
}  // namespace hone::train
