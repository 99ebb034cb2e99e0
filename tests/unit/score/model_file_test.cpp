#include "score/model_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error.h"
#include "tests/shared_data.h"
#include "tests/unit/score/synthetic.h"

namespace hone::score {
namespace {

const Synthetic& data() {
  static const Synthetic kMade = synthetic(50, 3, 1);
  return kMade;
}

// A file with a trained model, and its path.
std::string saved() {
  BoostedTrees model({});
  model.train(data().samples, data().labels);
  const std::string path = temporary_file("scorer");
  save_model(path,
             {.kind = "",
              .features = "statements 1",
              .data_hash = data_hash(data().samples, data().labels),
              .tasks = {"[\"key\", 1]"},
              .metrics = {{"rmse", 0.125}, {"top_1", 1}},
              .options = {{"epochs", "2"}},
              .curves = {{"loss", {0.5, 0.25}}},
              .target = "here",
              .platforms = {{"here", 12}, {"there", 3000}}},
             model);
  return path;
}

std::string contents(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

std::string error_of(const std::string& path, const std::string& features = "statements 1") {
  try {
    load_model(path, features, {});
    return "";
  } catch (const UserError& error) {
    EXPECT_FALSE(error.hint().empty()) << error.what();
    return error.what();
  }
}

std::string error_of_contents(const std::string& bytes) {
  const std::string path = temporary_file("changed");
  std::ofstream(path, std::ios::binary) << bytes;
  return error_of(path);
}

TEST(ModelFile, ComesBackWithItsHeader) {
  const LoadedModel loaded = load_model(saved(), "statements 1", {});
  EXPECT_EQ(loaded.header.kind, "gbdt");
  EXPECT_EQ(loaded.header.tasks, std::vector<std::string>{"[\"key\", 1]"});
  EXPECT_EQ(loaded.header.data_hash, data_hash(data().samples, data().labels));
  ASSERT_EQ(loaded.header.metrics.size(), 2u);
  EXPECT_EQ(loaded.header.metrics[0], (std::pair<std::string, double>("rmse", 0.125)));
  EXPECT_EQ(loaded.header.options[0], (std::pair<std::string, std::string>("epochs", "2")));
  EXPECT_EQ(loaded.header.curves[0].second, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(loaded.header.target, "here");
  EXPECT_EQ(loaded.header.platforms[1], (std::pair<std::string, double>("there", 3000)));
  BoostedTrees model({});
  model.train(data().samples, data().labels);
  EXPECT_EQ(loaded.model->weights(), model.weights());
}

TEST(ModelFile, OtherFeaturesAreRefusedWithAHint) {
  const std::string what = error_of(saved(), "statements 2");
  EXPECT_NE(what.find("'statements 1'"), std::string::npos) << what;
  EXPECT_NE(what.find("'statements 2'"), std::string::npos) << what;
}

TEST(ModelFile, EveryDamageIsNoticed) {
  const std::string bytes = contents(saved());
  EXPECT_EQ(error_of_contents(bytes), "");
  for (std::size_t at = 0; at < bytes.size(); at += 1 + bytes.size() / 200) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_NE(error_of_contents(bytes.substr(0, at)), "") << "cut at " << at;
    if (at < bytes.find("\"weights\"") && at > bytes.find("data_hash")) continue;  // free text
    EXPECT_NE(error_of_contents(changed), "") << "byte " << at;
  }
}

TEST(ModelFile, MissingAndUnwritableFilesAreNamed) {
  EXPECT_THROW(load_model("/nowhere/scorer", "statements 1", {}), UserError);
  EXPECT_THROW(save_model("/nowhere/scorer", {}, BoostedTrees({})), UserError);
}

TEST(ModelFile, DataHashSeesEveryNumber) {
  Synthetic changed = data();
  const std::string before = data_hash(changed.samples, changed.labels);
  changed.labels[3] += 1e-9;
  EXPECT_NE(data_hash(changed.samples, changed.labels), before);
  changed = data();
  changed.samples[3].values[2] += 1e-3F;
  EXPECT_NE(data_hash(changed.samples, changed.labels), before);
}

}  // namespace
}  // namespace hone::score
