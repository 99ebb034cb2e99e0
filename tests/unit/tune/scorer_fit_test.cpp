#include "tune/scorer_fit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "feature/summary.h"

namespace hone::tune {
namespace {

std::string features_with(int primitives_version) {
  return fmt::format("statements 1, primitives {}, context 1, summary {}", primitives_version,
                     feature::kSummaryVersion);
}

TEST(ScorerFit, NamesWhatKeepsAScorerFromUse) {
  score::ModelHeader header{.kind = "hone", .features = features_with(1), .data_hash = {}, .tasks = {}};
  EXPECT_EQ(misfit_of(header), "");
  header.metrics = {{"gpu_share", 0}};
  EXPECT_EQ(misfit_of(header), "");
  header.metrics = {{"gpu_share", 1}};
  EXPECT_EQ(misfit_of(header), "it was trained on programs for GPUs");
  header.features = features_with(9);
  EXPECT_EQ(misfit_of(header),
            "it reads the features '" + features_with(9) + "', which this hone does not make");
  header.features = "dreams 1";
  EXPECT_EQ(misfit_of(header), "it reads the features 'dreams 1', which this hone does not make");
  header.kind = "tabnet";
  EXPECT_EQ(misfit_of(header), "scorers of kind 'tabnet' can be judged only");
}

TEST(ScorerFit, NamesTheMachinesOfAnotherOne) {
  score::ModelHeader header{.kind = "hone", .features = {}, .data_hash = {}, .tasks = {}};
  EXPECT_EQ(foreign_to("znver4", header), "") << "it does not say";
  header.platforms = {{"znver4", 100}, {"e5-2673", 5}};
  EXPECT_EQ(foreign_to("znver4", header), "");
  EXPECT_EQ(foreign_to("neoverse-n1", header),
            "it was trained on programs of znver4, e5-2673, and this is neoverse-n1");
}

}  // namespace
}  // namespace hone::tune
