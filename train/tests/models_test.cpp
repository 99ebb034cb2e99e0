#include <gtest/gtest.h>

#include <numeric>

#include "base/error.h"
#include "train/hone_model.h"
#include "train/tests/models.h"

namespace hone::train {
namespace {

using torch::Tensor;

TEST_F(Models, HaveThePublishedNumbersOfParameters) {
  EXPECT_EQ(parameters("tlp"), 610'369);
  EXPECT_EQ(parameters("tlp", {"columns=20"}), 610'241);  // as on GPUs
  EXPECT_EQ(parameters("tlp", {"backend=lstm"}), 873'537);
  EXPECT_EQ(parameters("tenset-mlp"), 242'433);
  EXPECT_EQ(parameters("statement-lstm"), 768'769);
  EXPECT_EQ(parameters("statement-attention"), 5'428'225);
  EXPECT_EQ(parameters("tabnet"), 150'657);
  EXPECT_EQ(parameters("atformer", {"norm=0"}), 768'769);
  EXPECT_EQ(parameters("atformer", {"norm=0", "layers=1"}), 505'601);
  EXPECT_EQ(parameters("atformer", {"norm=0", "width=512", "heads=8"}), 2'979'329);
  EXPECT_EQ(parameters("atformer") - parameters("atformer", {"norm=0"}), 2 * 2 * 256);
}

TEST_F(Models, MembersOfHonesModelAreSmall) {
  EXPECT_LE(parameters("hone", {"members=1"}), 150'000);
  EXPECT_EQ(parameters("hone", {"members=3"}), 3 * parameters("hone", {"members=1"}));
}

TEST_F(Models, EveryWidthOfTheAblationCanBeMade) {
  for (const char* width : {"512", "768", "1024"})
    EXPECT_GT(parameters("tlp", {std::string("width=") + width}), 610'369) << width;
  EXPECT_EQ(parameters("tlp", {"layers=2"}) - parameters("tlp"), 263'168);
  EXPECT_EQ(parameters("tlp", {"heads=4"}), parameters("tlp"));
  EXPECT_EQ(parameters("tlp") - parameters("tlp", {"blocks=1"}), 65'792);
  EXPECT_THROW(parameters("tlp", {"width=300"}), UserError);
  EXPECT_THROW(parameters("tlp", {"heads=7"}), UserError);
  EXPECT_THROW(parameters("tlp", {"columns=23"}), UserError);
  EXPECT_THROW(parameters("tlp", {"backend=gru"}), UserError);
  EXPECT_THROW(parameters("tlp", {"numbers=ln"}), UserError);
}

// Whom a program shares its batch with, and so how far it is padded, does not matter.
TEST_F(Models, ScoreAProgramByItself) {
  const DataSet data = set();
  std::vector<Program> all(data.n_programs());
  std::iota(all.begin(), all.end(), 0);
  for (const Kind& kind : kinds()) {
    const Features features(data, kind.views(kind.defaults()), torch::kCPU);
    const auto network = model(kind.name, features);
    network->learn_inputs(features, all);
    const Tensor together = scores(*network, features.batch(all));
    for (const Program program : {0U, 3U, 17U}) {
      EXPECT_NEAR(together[program].item<float>(),
                  scores(*network, features.batch({program})).item<float>(), 1e-4)
          << kind.name;
    }
    EXPECT_GT(together.std().item<float>(), 0) << kind.name;
  }
}

TEST_F(Models, TlpWithAttentionDoesNotSeeTheOrderOfSteps) {
  const Features features(set(), {"tlp"}, torch::kCPU);
  const Batch batch = features.batch({3});  // six steps
  Batch turned = batch;
  turned.views["tlp"].rows = batch.view("tlp").rows.flip(0);
  for (const bool sees : {false, true}) {
    const auto network =
        model("tlp", features, {"steps=6", sees ? "backend=lstm" : "backend=attention"});
    const float change = scores(*network, batch).item<float>() - scores(*network, turned).item<float>();
    EXPECT_EQ(std::abs(change) > 1e-5, sees) << change;
  }
}

TEST_F(Models, TlpSeesPaddingAndCropsTheEnd) {
  const Features features(set(), {"tlp"}, torch::kCPU);
  const Batch batch = features.batch({3});  // six steps
  const auto score_with = [&](const char* steps) {
    return scores(*model("tlp", features, {std::string("steps=") + steps}), batch).item<float>();
  };
  EXPECT_NE(score_with("25"), score_with("24"));
  Batch cut = batch;
  cut.views["tlp"].rows = batch.view("tlp").rows.slice(0, 0, 4);
  cut.views["tlp"].program = batch.view("tlp").program.slice(0, 0, 4);
  cut.views["tlp"].place = batch.view("tlp").place.slice(0, 0, 4);
  cut.views["tlp"].which.reset();
  EXPECT_FLOAT_EQ(score_with("4"), scores(*model("tlp", features, {"steps=4"}), cut).item<float>());
}

// To the last bit but those of the order of sums: it is the same network.
TEST_F(Models, TlpSeesEqualRowsOnceAndLearnsTheSame) {
  const Features features(set(), {"tlp"}, torch::kCPU);
  const Batch batch = features.batch({3, 5, 3, 8, 5, 3});
  EXPECT_EQ(batch.view("tlp").different.size(0), 6 + 4 + 3);
  Batch apart = batch;
  apart.views["tlp"].which.reset();
  for (const std::string setting : {"layers=1", "layers=2", "backend=lstm", "columns=12", "steps=4"}) {
    const auto network = model("tlp", features, {setting});
    const auto learned_of = [&](const Batch& of) {
      network->zero_grad();
      const Tensor score = network->predict(of).score;
      (score * torch::arange(1, 7)).sum().backward();
      std::vector<Tensor> all = {score.detach()};
      for (const Tensor& parameter : network->parameters()) all.push_back(parameter.grad().clone());
      return all;
    };
    const std::vector<Tensor> once = learned_of(batch), each = learned_of(apart);
    for (std::size_t i = 0; i < once.size(); ++i)
      EXPECT_TRUE(torch::allclose(once[i], each[i], 1e-4, 1e-5)) << setting << ' ' << i;
  }
}

// Padding, flags and all, with the same weights; the default is to scale nothing.
TEST_F(Models, TlpWithLogNumbersIsTlpOfScaledRows) {
  const Features features(set(), {"tlp"}, torch::kCPU);
  Batch batch = features.batch({0, 1, 2, 3});
  Tensor& rows = batch.views["tlp"].rows;
  rows = rows.clone();
  rows.slice(1, 0, 11).round_();
  rows.slice(1, 11).mul_(3e8F).round_();
  rows.select(1, 12).neg_();
  Batch scaled = batch;
  Tensor& of_scaled = scaled.views["tlp"].rows;
  of_scaled = rows.clone();
  of_scaled.slice(1, 11).copy_(torch::log2(rows.slice(1, 11).abs() + 1));
  of_scaled.select(1, 12).neg_();
  for (const char* kind : {"tlp", "mtl-tlp"}) {
    for (const char* backend : {"backend=attention", "backend=lstm"}) {
      const auto score_with = [&](const std::string& numbers, const Batch& of) {
        return scores(*model(kind, features, {backend, numbers}), of);
      };
      const Tensor of_logs = score_with("numbers=log", batch);
      EXPECT_TRUE(torch::equal(of_logs, score_with("numbers=raw", scaled))) << kind << backend;
      EXPECT_FALSE(torch::allclose(of_logs, score_with("numbers=raw", batch))) << kind << backend;
      const Tensor by_default = scores(*model(kind, features, {backend}), batch);
      EXPECT_TRUE(torch::equal(by_default, score_with("numbers=raw", batch))) << kind << backend;
    }
  }
}

TEST_F(Models, OnlyRawNumbersNeedAllBits) {
  const Features features(set(), {"tlp", "statements", "embedding"}, torch::kCPU);
  for (const char* kind : {"tlp", "mtl-tlp"}) {
    EXPECT_TRUE(model(kind, features)->needs_all_bits()) << kind;
    EXPECT_FALSE(model(kind, features, {"numbers=log"})->needs_all_bits()) << kind;
  }
  EXPECT_FALSE(model("tenset-mlp", features)->needs_all_bits());
}

TEST_F(Models, HoneIsCautiousAboutWhatItsMembersDoNotAgreeOn) {
  const Features features(set(), kind_named("hone").views(hone_options()), torch::kCPU);
  const Batch batch = features.batch({0, 1, 2, 3});
  const auto score_with = [&](const char* caution) {
    return model("hone", features, {std::string("caution=") + caution})->predict(batch);
  };
  const Prediction bold = score_with("0"), careful = score_with("2");
  EXPECT_TRUE((bold.spread > 0).all().item<bool>());
  EXPECT_TRUE(torch::allclose(careful.score, bold.score - 2 * bold.spread));
  EXPECT_TRUE((bold.valid > 0).logical_and(bold.valid < 1).all().item<bool>());
}

TEST_F(Models, TreesVoteBesideTheMembersOfHonesModel) {
  const Features features(set(), kind_named("hone").views(hone_options()), torch::kCPU);
  const Batch batch = features.batch({0, 1, 2, 3});
  const std::vector<std::string> settings = {"caution=0", "tree_share=0.25"};
  const Prediction alone = model("hone", features, settings)->predict(batch);
  const auto joined_model = model("hone", features, settings);
  const auto columns =
      static_cast<std::size_t>(features.info("context").columns + features.info("summary").columns);
  score::Forest forest{.columns = columns, .depth = 0, .splits = {}, .leaves = {2}};
  joined_model->take_forest(forest);
  const Prediction joined = joined_model->predict(batch);
  const Tensor before = torch::log(alone.valid) - alone.score, apart = 2 - before;
  EXPECT_TRUE(torch::allclose(torch::log(joined.valid) - joined.score, before + 0.25 * apart));
  const Tensor variance = 0.75 * alone.spread.square() + 0.25 * 0.75 * apart.square();
  EXPECT_TRUE(torch::allclose(joined.spread, variance.sqrt()));

  ++forest.columns;
  EXPECT_THROW(joined_model->take_forest(forest), UserError);
  const Features of_tlp(set(), {"tlp"}, torch::kCPU);
  EXPECT_THROW(model("tlp", of_tlp, {})->take_forest(forest), UserError);
}

TEST_F(Models, HoneLearnsOfFailuresWhetherProgramsWorkAndNothingElse) {
  const Features features(set(), kind_named("hone").views(hone_options()), torch::kCPU);
  const auto network = model("hone", features, {"members=1"});
  const Batch batch = features.batch({0, 1});
  const Labels labels{.speed = torch::zeros({1, 2}),
                      .works = torch::zeros({1, 2}, torch::kBool),
                      .present = torch::ones({1, 2}, torch::kBool),
                      .slot = torch::arange(2)};
  network->loss(batch, labels).backward();
  const Tensor heads = network->named_parameters()["member0.heads.weight"].grad();
  EXPECT_EQ(heads[0].abs().max().item<float>(), 0);
  EXPECT_GT(heads[1].abs().max().item<float>(), 0);
}

}  // namespace
}  // namespace hone::train
