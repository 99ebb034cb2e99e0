#include "space/filter.h"

#include <gtest/gtest.h>

#include "space/annotate/sketch_family.h"
#include "space/sketch.h"
#include "task/catalogue.h"

namespace hone::space {
namespace {

class MatmulFamily : public testing::Test {
 protected:
  MatmulFamily() : task_(std::make_shared<const task::Task>(task::from_op("matmul:m=60,n=96,k=64"))) {
    target_ = target::parse("avx2");
    const Hardware hardware = hardware_of(target_);
    const std::vector<Sketch> all = sketches(task_, hardware);
    ansor_.emplace(0, task_, all[0].steps, hardware, factorings_);
    hone_.emplace(0, task_, all[0].steps, hardware, factorings_, target_);
  }
  // Tiles of i, j and k, which are split in this order, and one vector loop.
  Decisions tiles(Lengths i, Lengths j, std::int64_t k) const {
    Decisions decisions = {0};
    for (const Lengths& lengths : {i, j})
      decisions.insert(decisions.end(), lengths.begin(), lengths.end());
    decisions.insert(decisions.end(), {k, 1, 0, 1});
    return decisions;
  }

  std::shared_ptr<const task::Task> task_;
  target::Target target_;
  Factorings factorings_;
  std::optional<SketchFamily> ansor_, hone_;
};

TEST_F(MatmulFamily, RegistersAreCountedBelowTheInnermostReduction) {
  const auto accumulators = [&](const Decisions& decisions) {
    return usage_of(hone_->view(), decisions, target_.vector_bits).accumulators;
  };
  EXPECT_EQ(accumulators(tiles({1, 1, 6}, {1, 1, 16}, 4)), 12);
  EXPECT_EQ(accumulators(tiles({1, 1, 6}, {1, 1, 12}, 4)), 12) << "half a vector takes a register";
  EXPECT_EQ(accumulators(tiles({1, 5, 6}, {1, 2, 16}, 1)), 120) << "a loop of one iteration is none";
}

TEST_F(MatmulFamily, SpillingTilesAreMembersThatNobodyProposes) {
  const Decisions fit = tiles({1, 1, 6}, {1, 1, 16}, 4), spill = tiles({1, 1, 12}, {1, 1, 32}, 4);
  EXPECT_TRUE(hone_->settle(fit));
  EXPECT_FALSE(hone_->settle(spill));
  EXPECT_TRUE(ansor_->settle(spill));
  EXPECT_EQ(hone_->encode(*ansor_->decode(spill)), spill);
  Random random(1, 0);
  for (int i = 0; i < 200; ++i) {
    if (const auto sample = hone_->sample(random)) {
      EXPECT_TRUE(fits(usage_of(hone_->view(), *sample, target_.vector_bits), target_));
    }
  }
}

TEST_F(MatmulFamily, OnlyHonesSpaceSamplesSizesThatDoNotDivide) {
  Random random(1, 0);
  const auto n_odd = [&](const SketchFamily& family) {
    int count = 0;
    for (int i = 0; i < 500; ++i) {
      const auto sample = family.sample(random);
      if (sample && 60 % ((*sample)[1] * (*sample)[2] * (*sample)[3]) != 0) ++count;
    }
    return count;
  };
  EXPECT_EQ(n_odd(*ansor_), 0);
  EXPECT_GT(n_odd(*hone_), 10);
}

TEST(Filter, TemporariesStayInTheCacheOfACore) {
  target::Target target = target::parse("avx2");
  target.caches = {{1, 32768, 8, 64, false}, {2, 1 << 20, 16, 64, false}, {3, 1 << 25, 16, 64, true}};
  EXPECT_TRUE(fits({0, 1 << 20}, target));
  EXPECT_FALSE(fits({0, (1 << 20) + 1}, target));
  EXPECT_TRUE(fits({target.vector_registers - 2, 0}, target));
  EXPECT_FALSE(fits({target.vector_registers - 1, 0}, target));
}

}  // namespace
}  // namespace hone::space
