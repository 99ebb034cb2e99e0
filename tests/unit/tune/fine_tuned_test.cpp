// A scorer that is trained on, with a stand-in for hone-train.
#include "tune/fine_tuned.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "record/hds/file.h"
#include "target/detect.h"
#include "tests/unit/score/network_by_hand.h"
#include "tune/learned_scorer.h"

namespace hone::tune {
namespace {

constexpr int kColumns = 174, kWidth = 4;

class FineTunedTest : public testing::Test {
 protected:
  FineTunedTest() {
    target_.cores = 1;
    weights_.add("rows.normaliser.shift", {kColumns}, 0);
    weights_.add("rows.normaliser.scale", {kColumns}, 2);
    weights_.chain("encoder", {kColumns, kWidth, kWidth});
    weights_.linear("decoder", kWidth, 1);
    for (score::Sample& sample : samples_)
      sample.views = {score::random_view(weights_, "statements", 2, 164),
                      {"embedding", 9, std::vector<float>(9, 1)}};
  }
  std::string path(const char* name) const { return folder_.path() / name; }
  // The network that says so many times what the first one says.
  std::string write_scorer(const char* name, float times) {
    std::vector<score::NamedTensor> tensors = score::parse_tensors(weights_.print());
    for (score::NamedTensor& tensor : tensors)
      if (tensor.name.starts_with("decoder"))
        for (float& value : tensor.values) value *= times;
    score::ScorerFile file;
    file.header.kind = "tenset-mlp";
    file.header.features = "statements 1, embedding 1";
    file.header.data_hash = "0000000000000000";
    file.header.options = {{"width", "4"}};
    file.weights = score::print_tensors(tensors);
    std::ofstream(path(name), std::ios::binary) << score::print_scorer(file);
    return path(name);
  }
  // Keeps the set (its first word) and what it was told, then does what the script says.
  std::string write_program(const std::string& script) {
    std::ofstream(path("train")) << "#!/bin/sh\ncp \"$1\" " << path("set") << "\necho \"$@\" > "
                                 << path("words") << "\n"
                                 << script << "\n";
    std::filesystem::permissions(path("train"), std::filesystem::perms::owner_all);
    return path("train");
  }
  FineTuned model(const std::string& program) {
    const std::string scorer = write_scorer("first", 1);
    return {scorer, program, target_, load_scorer(scorer, target_, "")};
  }

  const TemporaryFolder folder_;
  target::Target target_ = target::host();
  score::Weights weights_;
  std::vector<score::Sample> samples_{5};
  const std::vector<double> labels_ = {1, 0.5, 0, 0.25, 0.125};
};

TEST_F(FineTunedTest, SaysWhatTrainingMadeOfTheScorer) {
  const std::string other = write_scorer("other", 2);
  FineTuned tuned =
      model(write_program("while [ \"$1\" != -o ]; do shift; done; cp " + other + " \"$2\""));
  const double before = std::log(tuned.predict(samples_)[0].score);
  tuned.train(samples_, labels_);
  EXPECT_NEAR(std::log(tuned.predict(samples_)[0].score), 2 * before, 1e-4);

  std::ostringstream words;
  words << std::ifstream(path("words")).rdbuf();
  for (const std::string word :
       {"--kind tenset-mlp", "--set width=4", "--set epochs=10", "--threads 1"})
    EXPECT_NE(words.str().find(word), std::string::npos) << words.str();
  EXPECT_NE(words.str().find("--from " + path("first")), std::string::npos);

  const auto set = record::hds::File::open(path("set"));
  EXPECT_EQ(set.array<float>("program.best")[1], 2);
  EXPECT_TRUE(std::isnan(set.array<float>("program.best")[2]));
  EXPECT_NE(set.array<std::uint8_t>("program.status")[2], 0);
  EXPECT_EQ(set.array<double>("program.times.values").size(), 4U);
  EXPECT_EQ(set.array<std::uint64_t>("feature.statements.offsets").back(), 10U);
  EXPECT_EQ(set.array<std::uint64_t>("feature.embedding.offsets").size(), 2U);
  EXPECT_EQ(set.text("feature.embedding.info"), "1 9 task");
}

TEST_F(FineTunedTest, ATrainingThatFailsIsNamed) {
  FineTuned tuned = model(write_program("exit 3"));
  try {
    tuned.train(samples_, labels_);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_NE(std::string(error.what()).find("exit code 3"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace hone::tune
