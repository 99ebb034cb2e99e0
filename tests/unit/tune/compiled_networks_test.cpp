// Networks as they run in a search: compiled, and asked for any number of programs in any order.
#include <gtest/gtest.h>

#include <algorithm>

#include "target/detect.h"
#include "tests/unit/score/small_networks.h"
#include "tune/dense_compiler.h"

namespace hone::tune {
namespace {

using score::Sample;

// Says what the definition of the graphs says, and the same of a program, bit for bit, in any company.
void expect_independence(const score::ScorerFile& file, const std::vector<Sample>& samples) {
  target::Target target = target::host();
  target.cores = 2;
  const auto network = score::make_network(file, dense_compiler({.target = target}), true);
  const auto defined = score::make_network(file, score::evaluated, true)->predict(samples);
  const std::vector<score::Prediction> all = network->predict(samples);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_NEAR(std::log(all[i].score), std::log(defined[i].score), 1e-4) << file.header.kind;
    EXPECT_EQ(network->predict(std::span(samples).subspan(i, 1))[0].score, all[i].score) << i;
  }
  std::vector<Sample> turned(samples.rbegin(), samples.rend());
  for (const std::size_t n : {3U, 7U, 129U}) {
    std::vector<Sample> many;
    while (many.size() < n) many.insert(many.end(), turned.begin(), turned.end());
    many.resize(n);
    const std::vector<score::Prediction> said = network->predict(many);
    for (std::size_t i = 0; i < n; ++i) {
      const score::Prediction& before = all[all.size() - 1 - i % all.size()];
      ASSERT_EQ(said[i].score, before.score) << file.header.kind << ", " << i << " of " << n;
      ASSERT_EQ(said[i].hidden, before.hidden);
    }
  }
}

TEST(CompiledNetworks, AtFormerSaysTheSameOfAProgramInAnyCompany) {
  for (const score::Variant& variant :
       {score::Variant{2, true, 0, false}, score::Variant{1, false, 3, true}}) {
    score::Weights weights = score::atformer_weights(variant);
    expect_independence(score::atformer_file(weights, variant), score::programs(weights));
  }
}

TEST(CompiledNetworks, LstmSaysTheSameOfAProgramInAnyCompany) {
  score::Weights weights = score::lstm_weights();
  expect_independence(score::file_of("statement-lstm", weights, {}), score::programs(weights));
}

}  // namespace
}  // namespace hone::tune
