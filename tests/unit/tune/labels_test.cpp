#include "tune/labels.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace hone::tune {
namespace {

TEST(Labels, FoldsKeepStructuresTogetherAndAreEven) {
  Labels labels;
  labels.structures = {"a", "a", "a", "b", "c", "b", "d", "e", "f"};
  const std::vector<std::size_t> fold_of = deal_folds(labels, 3);
  std::map<std::string, std::set<std::size_t>> folds;
  std::vector<int> sizes(3);
  for (std::size_t task = 0; task < fold_of.size(); ++task) {
    folds[labels.structures[task]].insert(fold_of[task]);
    ++sizes.at(fold_of[task]);
  }
  for (const auto& [structure, in] : folds) EXPECT_EQ(in.size(), 1U) << structure;
  EXPECT_EQ(sizes, (std::vector{3, 3, 3}));
}

TEST(Labels, APartKnowsNothingOfTheRest) {
  score::Labelled all{.samples = std::vector<score::Sample>(4),
                      .task_of = {0, 1, 2, 1},
                      .seconds = {0.1, 0.2, 0.3, 0.4},
                      .keys = {"x", "y", "z"}};
  all.samples[3].values = {7};
  EXPECT_EQ(programs_of(all, {false, true, true}), (std::vector<std::size_t>{1, 2, 3}));
  const score::Labelled part = part_of(all, {2, 3});
  EXPECT_EQ(part.keys, (std::vector<std::string>{"z", "y"}));
  EXPECT_EQ(part.task_of, (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(part.seconds, (std::vector{0.3, 0.4}));
  EXPECT_EQ(part.samples[1].values, std::vector<float>{7});
}

}  // namespace
}  // namespace hone::tune
