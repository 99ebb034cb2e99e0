// What the members of hone's model see, and how far.
#include <gtest/gtest.h>

#include <numeric>

#include "train/hone_model.h"
#include "train/model.h"
#include "train/tests/fixture.h"

namespace hone::train {
namespace {

using torch::Tensor;

class HoneViews : public testing::Test {
 protected:
  HoneViews() : set_(made_up()), features_(set_, hone_views(hone_options()), torch::kCPU) {
    all_.resize(set_.n_programs());
    std::iota(all_.begin(), all_.end(), 0);
  }

  static DataSet made_up() {
    const std::string path = temporary_file("set.hds");
    write_made_up_set(path, {});
    return load_data_set(path, "min");
  }
  std::shared_ptr<Model> model(const std::vector<std::string>& settings) const {
    torch::manual_seed(1);
    Options options = hone_options();
    options.set_all({"width=8", "fused_width=8"});
    options.set_all(settings);
    auto made = make_hone_model(options, features_);
    made->learn_inputs(features_, all_);
    return made;
  }
  // What it says when a view is not as it was.
  Tensor scores(Model& network, const std::string& changed = {}, double by = 0) const {
    const torch::NoGradGuard no_gradient;
    Batch batch = features_.batch(all_);
    if (!changed.empty()) batch.views[changed].rows = batch.views[changed].rows + by;
    return network.predict(batch).score;
  }

  DataSet set_;
  Features features_;
  std::vector<Program> all_;
};

// A step of any optimizer moves weights against their gradient.
void step(Model& network, const Tensor& loss) {
  loss.backward();
  const torch::NoGradGuard no_gradient;
  for (const Tensor& parameter : network.parameters())
    if (parameter.grad().defined()) parameter.sub_(parameter.grad());
}

TEST_F(HoneViews, AMemberNeverSeesTheViewThatIsKeptFromIt) {
  const auto blind = model({"members=1", "members_see=all_but_one"});  // the first misses statements
  const auto seeing = model({"members=1"});
  for (Model* const network : {blind.get(), seeing.get()})
    step(*network, network->predict(features_.batch(all_)).score.square().sum());
  EXPECT_TRUE(torch::equal(scores(*blind), scores(*blind, "statements", 1)));
  EXPECT_FALSE(torch::allclose(scores(*blind), scores(*blind, "primitives", 1)));
  EXPECT_FALSE(torch::allclose(scores(*seeing), scores(*seeing, "statements", 1)));
}

TEST_F(HoneViews, OtherMembersMissOtherThings) {
  const auto network = model({"members=5", "members_see=all_but_one"});
  for (const char* view : {"statements", "primitives", "context", "summary"})
    EXPECT_FALSE(torch::allclose(scores(*network), scores(*network, view, 1))) << view;
}

TEST_F(HoneViews, WhatIsBeyondReachCountsAsThatFar) {
  const auto near = model({"members=1", "reach=2"}), any = model({"members=1", "reach=0"});
  for (const char* view : {"statements", "primitives", "context", "summary"}) {
    EXPECT_TRUE(torch::equal(scores(*near, view, 20), scores(*near, view, 40))) << view;
    EXPECT_FALSE(torch::allclose(scores(*any, view, 20), scores(*any, view, 40))) << view;
  }
}

}  // namespace
}  // namespace hone::train
