#include "score/roofline.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/error.h"
#include "score/make_model.h"

namespace hone::score {
namespace {

// The statement of a 512 x 512 x 512 matrix product, 1 << 27 iterations, in the 164 columns.
struct Product {
  double vector_length = 0;
  double parallel = 0;
  double unrolled = 0;
  double reuse_distance_bytes = 0;  // of the operand that is read again and again
  double reuse_count = 0;

  Sample sample() const {
    constexpr double kIterations = 1 << 27;
    Sample out{.values = std::vector<float>(164), .nodes = {0}};
    const auto set = [&](std::size_t column, double value) {
      out.values[column] = static_cast<float>(std::log2(value + 1));
    };
    set(1, kIterations);
    set(2, kIterations);
    set(16, vector_length > 0 ? 1 : 0);
    set(17, vector_length);
    set(18, vector_length);
    set(28, unrolled);
    set(39, parallel);
    out.values[57] = 1;  // read
    set(57 + 3, kIterations * 4);
    set(57 + 4, 1 << 20);
    set(57 + 5, kIterations / 16);
    set(57 + 6, (1 << 20) / 64);
    set(57 + 11, reuse_distance_bytes);
    set(57 + 12, reuse_count);
    set(161, kIterations);
    return out;
  }
};

double score(const Product& product) {
  const std::array<double, 3> caches = {32 << 10, 1 << 20, 32 << 20};
  const Roofline model(roofline_machine(4, 8, caches));
  const Sample sample = product.sample();
  return model.predict({&sample, 1}).front().score;
}

TEST(Roofline, PrefersWhatTheMachineHas) {
  const Product plain{.reuse_distance_bytes = 4096, .reuse_count = 16};
  Product better = plain;
  better.vector_length = 8;
  EXPECT_GT(score(better), 2 * score(plain));
  better.parallel = 4;
  Product vectorised = better;
  vectorised.parallel = 0;
  EXPECT_NEAR(score(better), 4 * score(vectorised), 1e-6);
  Product unrolled = better;
  unrolled.unrolled = 8;
  EXPECT_GT(score(unrolled), score(better));
}

TEST(Roofline, UnevenWorkLosesCoresAndLanes) {
  const Product even{
      .vector_length = 8, .parallel = 4, .unrolled = 8, .reuse_distance_bytes = 64, .reuse_count = 64};
  Product uneven = even;
  uneven.parallel = 5;  // one core does two pieces
  EXPECT_NEAR(score(uneven), score(even) * 2.5 / 4, 1e-6);
  uneven = even;
  uneven.vector_length = 9;
  EXPECT_LT(score(uneven), score(even));
}

TEST(Roofline, ReuseCountsWhereItFitsACache) {
  Product near{.vector_length = 8,
               .parallel = 4,
               .unrolled = 64,
               .reuse_distance_bytes = 16 << 10,
               .reuse_count = 64};
  Product far = near;
  far.reuse_distance_bytes = 8 << 20;
  Product never = near;
  never.reuse_distance_bytes = 1e9;
  EXPECT_GT(score(near), score(far));
  EXPECT_GT(score(far), score(never));
}

TEST(Roofline, ScoresAreSharesOfThePeak) {
  const double best = score({.vector_length = 8,
                             .parallel = 4,
                             .unrolled = 512,
                             .reuse_distance_bytes = 64,
                             .reuse_count = 64});
  EXPECT_GT(best, 0.5);
  EXPECT_LE(best, 1);
}

TEST(Models, AreMadeByName) {
  for (const std::string& kind : model_kinds()) EXPECT_EQ(make_model(kind, {})->kind(), kind);
  EXPECT_THROW(make_model("gbd", {}), UserError);
}

TEST(Models, RandomScoresDependOnTheProgramAndTheSeedAlone) {
  const std::array<Sample, 2> samples = {Product{}.sample(), Product{.parallel = 2}.sample()};
  const auto one = make_model("random", {.seed = 1})->predict(samples);
  const auto two = make_model("random", {.seed = 2})->predict(samples);
  EXPECT_NE(one[0].score, one[1].score);
  EXPECT_NE(one[0].score, two[0].score);
  EXPECT_EQ(make_model("random", {.seed = 1})->predict({&samples[1], 1})[0].score, one[1].score);
}

}  // namespace
}  // namespace hone::score
