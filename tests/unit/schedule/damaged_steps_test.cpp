// Steps of damaged records: each is applied or refused, and nothing else happens.
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "schedule/state.h"
#include "schedule/step_json.h"
#include "task/catalogue.h"

namespace hone::schedule {
namespace {

class Damage {
 public:
  explicit Damage(std::uint32_t seed) : random_(seed) {}

  Step step() {
    switch (pick(14)) {
      case 0:
        return Annotate{id(), id(), static_cast<ir::LoopKind>(pick(16))};
      case 1:
        return Fuse{id(), ids()};
      case 2:
        return Pragma{id(), id(), pick(2) == 0 ? "auto_unroll_max_step$64" : "auto_unroll$-"};
      case 3:
        return Reorder{id(), ids()};
      case 4:
        return Split{id(), id(), length(), lengths(), pick(2) == 0};
      case 5:
        return FollowSplit{id(), id(), id(), id()};
      case 6:
        return FollowFusedSplit{id(), id(), ids(), id(), pick(2) == 0};
      case 7:
        return StorageAlign{id(), id(), id(), id()};
      case 8:
        return ComputeAt{id(), id(), id()};
      case 9:
        return ComputeInline{id()};
      case 10:
        return ComputeRoot{id()};
      case 11:
        return CacheRead{id(), pick(2) == 0 ? "shared" : "nowhere", ids()};
      case 12:
        return CacheWrite{id(), "local"};
      default:
        return Rfactor{id(), id(), id()};
    }
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  int id() { return pick(20) == 0 ? pick(2000000000) - 1000000000 : pick(8) - (pick(10) == 0); }
  std::vector<int> ids() {
    std::vector<int> list;
    for (int n = pick(5), at = pick(4); n > 0; --n) list.push_back(pick(3) == 0 ? id() : at++);
    return list;
  }
  std::optional<std::int64_t> length() {
    if (pick(8) == 0) return std::nullopt;
    return pick(8) == 0 ? pick(1000000000) : pick(9) - (pick(10) == 0);
  }
  std::vector<std::optional<std::int64_t>> lengths() {
    std::vector<std::optional<std::int64_t>> list;
    for (int n = pick(4); n > 0; --n) list.push_back(length());
    return list;
  }

  std::mt19937 random_;
};

TEST(DamagedSteps, AreAppliedOrRefused) {
  const auto task = std::make_shared<const task::Task>(
      task::from_op("conv2d:n=1,ci=8,hw=14,co=8,k=3,s=1,p=1,layout=nhwc+bias+relu"));
  int applied = 0, refused = 0, bounded = 0;
  for (std::uint32_t seed = 0; seed < 3000; ++seed) {
    Damage damage(seed);
    State state = initial_state(task);
    for (int i = 0; i < 30; ++i) {
      try {
        schedule::apply(state, damage.step());
        ++applied;
      } catch (const UserError&) {
        ++refused;
      }
    }
    EXPECT_FALSE(print(state).empty());
    try {
      infer_bounds(state);
      EXPECT_FALSE(print(state).empty());
      ++bounded;
    } catch (const UserError&) {
      // Open lengths and stages out of sight have no bounds.
    }
  }
  EXPECT_GT(applied, 3000);
  EXPECT_GT(refused, 3000);
  EXPECT_GT(bounded, 100);
}

}  // namespace
}  // namespace hone::schedule
