#include "score/corrected.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "score/forest.h"

namespace hone::score {
namespace {

// A row is two columns of code, of which the second holds log2(1 + cycles), then one of the summary and
// one of the context. Where the summary's is below a half the analysis is too bold by a power of e.
ScorerFile file_of(const char* cycles_column = "1") {
  const Forest forest{.columns = 4, .depth = 1, .splits = {{0.5F, 2}}, .leaves = {-1, 0}};
  ScorerFile file{{.kind = "corrected", .features = {}, .data_hash = {}, .tasks = {}},
                  print_tensors(print_forest(forest))};
  file.header.options = {{"cycles_column", cycles_column}};
  return file;
}

Sample program(double cycles, float summary) {
  const auto log_cycles = static_cast<float>(std::log2(1 + cycles));
  Sample sample;
  sample.views = {{"context", 1, {7}}, {"summary", 1, {summary}}, {"code", 2, {0, log_cycles}}};
  return sample;
}

TEST(Corrected, SaysWhatTheAnalysisSaysTimesWhatTheTreesSay) {
  const auto scorer = make_network(file_of(), {});
  const Sample samples[] = {program(1000, 1), program(1000, 0), program(4000, 1)};
  const std::vector<Prediction> said = scorer->predict(samples);
  EXPECT_NEAR(said[0].score, 1000, 0.01);
  EXPECT_NEAR(said[1].score, 1000 / std::exp(1.0), 0.01);
  EXPECT_NEAR(said[2].score, 250, 0.01);
}

TEST(Corrected, NamesWhatItCannotDo) {
  EXPECT_THROW(make_network(file_of(), {}, true), UserError) << "trees have no last layer";
  EXPECT_THROW(make_network(file_of("4"), {}), UserError) << "there are columns 0 to 3";
}

}  // namespace
}  // namespace hone::score
