// hone's model of several machines: descriptors and adapters.
#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "train/hone_loss.h"
#include "train/hone_model.h"
#include "train/kinds.h"
#include "train/model.h"
#include "train/tests/fixture.h"

namespace hone::train {
namespace {

using torch::Tensor;

class HoneMachines : public testing::Test {
 protected:
  HoneMachines() : set_(two_machines()), features_(set_, views(), torch::kCPU) {
    all_.resize(set_.n_programs());
    std::iota(all_.begin(), all_.end(), 0);
  }

  static DataSet two_machines() {
    const std::string a = temporary_file("a.hds"), b = temporary_file("b.hds");
    write_made_up_set(a, {.machine = "a"});
    write_made_up_set(b, {.machine = "b", .machine_weight = -0.1});
    DataSet set = load_data_sets({a, b}, "min");
    set_target(set, "b");
    return set;
  }
  static std::vector<std::string> views() {
    Options options = hone_options();
    options.set("machine", "descriptor");
    return hone_views(options);
  }
  std::shared_ptr<Model> model(const std::vector<std::string>& settings) const {
    torch::manual_seed(1);
    Options options = hone_options();
    options.set_all({"members=1", "width=8", "fused_width=8"});
    options.set_all(settings);
    auto made = make_hone_model(options, features_);
    made->learn_inputs(features_, all_);
    return made;
  }
  // Makes every weight matter, those that start as 0 too.
  static void shake(Model& network) {
    const torch::NoGradGuard no_gradient;
    torch::manual_seed(2);
    for (const Tensor& parameter : network.parameters())
      parameter.add_(torch::randn_like(parameter) / 4);
  }
  Tensor scores(Model& network) const {
    const torch::NoGradGuard no_gradient;
    return network.predict(features_.batch(all_)).score;
  }
  Tensor is_of(std::int64_t platform) const { return features_.batch(all_).platform == platform; }

  DataSet set_;
  Features features_;
  std::vector<Program> all_;
};

constexpr double kSame = 1e-5;

TEST_F(HoneMachines, BeginsAsTheModelWithoutMachines) {
  const Tensor plain = scores(*model({}));
  EXPECT_TRUE(torch::allclose(scores(*model({"machine=descriptor"})), plain, 0, kSame));
  EXPECT_TRUE(torch::allclose(scores(*model({"adapters=3"})), plain, 0, kSame));
  EXPECT_TRUE(torch::equal(scores(*model({"machine=none", "adapters=0"})), plain));
}

TEST_F(HoneMachines, ADescriptorChangesWhatIsSaidOfAMachine) {
  const auto network = model({"machine=descriptor"});
  shake(*network);
  Batch batch = features_.batch(all_);
  const torch::NoGradGuard no_gradient;
  const Tensor before = network->predict(batch).score;
  Tensor& rows = batch.views["machine"].rows;
  rows = rows.clone();
  // The second column never moved in training: nobody knows what it means.
  rows.select(1, 1).fill_(77);
  EXPECT_TRUE(torch::allclose(network->predict(batch).score, before, 0, kSame));
  rows.select(1, 0).fill_(0.05);
  EXPECT_FALSE(torch::allclose(network->predict(batch).score, before, 0, 1e-3));
  // Further away than all machines that were seen is just far.
  rows.select(1, 0).fill_(1e3);
  const Tensor far = network->predict(batch).score;
  rows.select(1, 0).fill_(1e6);
  EXPECT_TRUE(torch::equal(network->predict(batch).score, far));
}

TEST_F(HoneMachines, TheAdapterOfTheTargetBecomesPartOfTheWeights) {
  const auto network = model({"machine=descriptor", "adapters=3"});
  shake(*network);
  const Tensor before = scores(*network);
  network->leave_sources();
  const Tensor after = scores(*network);
  EXPECT_TRUE(torch::allclose(after.masked_select(is_of(0)), before.masked_select(is_of(0)), 0, kSame));
  EXPECT_FALSE(torch::allclose(after.masked_select(is_of(1)), before.masked_select(is_of(1)), 0, 1e-3));
  Options options = hone_options();
  options.set("adapters", "3");
  network->settle(options);
  EXPECT_EQ(options.text("adapters"), "0");
  EXPECT_EQ(network->named_parameters().find("member0.adapters.up"), nullptr);
}

TEST_F(HoneMachines, OneAdapterLearnsFromItsOwnMachineAlone) {
  const auto network = model({"adapters=3", "unadapted_share=0"});
  shake(*network);
  const Batch batch = features_.batch({0, 1, 2, 3});  // of platform 1
  const Labels labels{.speed = torch::tensor({{1.F, 0.5F, 0.2F, 0.1F}}),
                      .works = torch::ones({1, 4}, torch::kBool),
                      .present = torch::ones({1, 4}, torch::kBool),
                      .slot = torch::arange(4)};
  ASSERT_EQ(batch.platform[0].item<std::int64_t>(), 1);
  network->loss(batch, labels).backward();
  const Tensor gradient = network->named_parameters()["member0.adapters.up"].grad();
  EXPECT_EQ(gradient[0].abs().max().item<float>(), 0);
  EXPECT_GT(gradient[1].abs().max().item<float>(), 0);
}

// The same lists, of which the target's count for more when it has few labels.
TEST_F(HoneMachines, FewLabelsOfTheTargetCountForAShareOfTheLoss) {
  Options options = hone_options();
  HoneLoss loss(options);
  torch::manual_seed(3);
  const Tensor said = torch::randn({2, 6, 2});
  const auto labels = [&](std::vector<std::int64_t> lists, std::vector<std::int64_t> platforms) {
    const auto n = static_cast<std::int64_t>(lists.size());
    Labels out{.speed = torch::zeros({n, 3}),
               .works = torch::ones({n, 3}, torch::kBool),
               .present = torch::ones({n, 3}, torch::kBool),
               .slot = torch::arange(3 * n),
               .program = torch::empty({0}, torch::kLong),
               .platform = std::move(platforms)};
    for (std::int64_t i = 0; i < n; ++i) {
      out.speed[i] = torch::tensor({1.F, 0.5F, 0.1F});
      out.program = torch::cat({out.program, torch::arange(3) + 3 * lists[i]});
    }
    return out;
  };
  const double target = loss(said, labels({0}, {0})).item<double>();
  const double source = loss(said, labels({1}, {1})).item<double>();
  EXPECT_NEAR(loss(said, labels({0, 1}, {0, 1})).item<double>(), (target + source) / 2, 1e-5);
  loss.count_target(10, 100);  // 0.3 of the loss instead of 0.1 of it
  EXPECT_NEAR(loss(said, labels({0, 1}, {0, 1})).item<double>(), (3 * target + 0.7 / 0.9 * source) / 2,
              1e-5);
  loss.count_target(50, 100);
  EXPECT_NEAR(loss(said, labels({0, 1}, {0, 1})).item<double>(), (target + source) / 2, 1e-5);
}

TEST_F(HoneMachines, HaveAsManyParametersAsTheirShapesSay) {
  const auto count = [&](const std::vector<std::string>& settings) {
    std::int64_t sum = 0;
    for (const Tensor& parameter : model(settings)->parameters()) sum += parameter.numel();
    return sum;
  };
  const std::int64_t inputs = 3 + 4 + 4 * 8;  // context, summary, sums and maxima of two views
  EXPECT_EQ(count({"adapters=3"}) - count({}), 2 * 3 * (inputs + 8));
  EXPECT_EQ(count({"machine=descriptor"}) - count({}), (2 + 1) * 8 + (8 + 1) * 2 * 8);
}

}  // namespace
}  // namespace hone::train
