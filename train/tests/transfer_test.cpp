// What is learned on one machine and carried over to another, and what must not be.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "score/scorer_file.h"
#include "train/guard.h"
#include "train/kinds.h"
#include "train/predict.h"
#include "train/tests/fixture.h"
#include "train/trainer.h"

namespace hone::train {
namespace {

const std::atomic<bool> kGoOn = false;

// Trainings on sets of several machines.
class Transfer : public testing::Test {
 protected:
  std::string set(const std::string& machine, MadeUp made_up = small()) {
    made_up.machine = machine;
    const std::string path = temporary_file(machine + ".hds");
    write_made_up_set(path, made_up);
    return path;
  }
  static MadeUp small() { return {.tasks = 6, .programs = 12, .structures = 6}; }

  Job job(const std::string& kind, const std::vector<std::string>& sets,
          const std::vector<std::string>& settings = {}, const std::string& output = "scorer") {
    Job job{.sets = sets,
            .kind = kind,
            .output = temporary_file(output),
            .options = kind_named(kind).defaults(),
            .fresh = true};
    std::filesystem::remove(job.output);
    job.options.set_all({"batch=32", "epochs=1", "validation=0.2"});
    if (kind.ends_with("tlp")) job.options.set("steps", "6");
    job.options.set_all(settings);
    return job;
  }
  std::vector<std::string> events;

  score::ScorerFile trained(const Job& work) {
    const Listener listen = [&](const Event& event) { events.push_back(event.line()); };
    EXPECT_EQ(train(work, listen, kGoOn), Outcome::Done);
    std::ostringstream bytes;
    bytes << std::ifstream(work.output, std::ios::binary).rdbuf();
    return score::parse_scorer(bytes.str(), work.output);
  }
  std::string refusal(const Job& work) {
    try {
      train(work, [](const Event&) {}, kGoOn);
      return "";
    } catch (const UserError& error) {
      EXPECT_FALSE(error.hint().empty()) << error.what();
      return std::string(error.what()) + " / " + error.hint();
    }
  }
};

std::string option_in(const score::ScorerFile& file, const std::string& name) {
  for (const auto& [known, value] : file.header.options)
    if (known == name) return value;
  return "";
}

TEST_F(Transfer, TheCardNamesSourcesTargetAndLabels) {
  Job work = job("mtl-tlp",
                 {set("old"), set("older", {.tasks = 8, .programs = 12, .structures = 8}), set("new")});
  work.target = {.platform = "new", .labels = 30, .programs = {}};
  const score::ModelHeader header = trained(work).header;
  EXPECT_EQ(header.target, "new");
  using Platforms = std::vector<std::pair<std::string, double>>;
  EXPECT_EQ(header.platforms, (Platforms{{"new", 30}, {"old", 72}, {"older", 96}}));
  EXPECT_EQ(header.tasks.size(), 8U);  // the keys of all sets, each once
  EXPECT_NE(events[0].find("new 30 (target), old 72, older 96"), std::string::npos) << events[0];
}

TEST_F(Transfer, APlatformNobodyKnowsIsRefusedWithTheNames) {
  Job work = job("mtl-tlp", {set("old"), set("new")});
  work.target.platform = "newer";
  EXPECT_NE(refusal(work).find("old, new"), std::string::npos) << refusal(work);
}

TEST_F(Transfer, WithoutLabelsTheSourcesAnswer) {
  Job work = job("mtl-tlp", {set("old"), set("new")});
  work.target = {.platform = "new", .labels = 0, .programs = {}};
  const score::ScorerFile file = trained(work);
  EXPECT_EQ(option_in(file, "answer"), "others");
  EXPECT_EQ(file.header.platforms[0], (std::pair<std::string, double>("new", 0)));
}

TEST_F(Transfer, AScorerOfSeveralMachinesComesBack) {
  Job work = job("mtl-tlp", {set("old"), set("new")});
  work.target = {.platform = "new", .labels = 40, .programs = {}};
  const score::ScorerFile file = trained(work);
  EXPECT_EQ(option_in(file, "answer"), "first");
  EXPECT_EQ(option_in(file, "platforms"), "2");
  const std::string scores = temporary_file("scores.npy");
  predict(work.output, work.sets[1], scores, false, "cpu");  // a set of one machine is enough
  EXPECT_EQ(std::filesystem::file_size(scores) % 64, 72 * sizeof(float) % 64);

  score::ScorerFile other = file;
  for (auto& [name, value] : other.header.options)
    if (name == "platforms") value = "3";
  std::ofstream(work.output, std::ios::binary) << score::print_scorer(other);
  EXPECT_THROW(predict(work.output, work.sets[1], scores, false, "cpu"), UserError);
}

// Neither what was not measured nor what is left out may change a weight.
TEST_F(Transfer, WithheldLabelsDoNotLeak) {
  const std::string chosen = temporary_file("programs");
  std::ofstream(chosen) << "0\n1\n2\n3\n12\n13\n14\n24\n25\n26\n27\n36\n37\n48\n49\n60\n61\n62\n";
  MadeUp changed = small();
  for (const std::uint32_t program : {4U, 5U, 20U, 30U, 45U, 56U, 66U, 71U})
    changed.changed.insert(program);
  for (const char* kind : {"mtl-tlp", "tenset-mlp", "hone"}) {
    Job work = job(kind, {set("old"), set("new")});
    if (std::string(kind) == "hone") work.options.set("list", "8");
    work.target = {.platform = "new", .labels = {}, .programs = chosen};
    work.left_out = {.number = 0, .of = 3};
    const std::string before = trained(work).weights;
    set("new", changed);
    EXPECT_EQ(trained(work).weights == before, true) << kind;
    MadeUp all_changed = small();
    for (std::uint32_t program = 0; program < 72; ++program) all_changed.changed.insert(program);
    set("new", all_changed);
    EXPECT_EQ(trained(work).weights == before, false) << kind;
  }
}

TEST_F(Transfer, TheFoldThatIsLeftOutDoesNotLeakFromAnyMachine) {
  Job work = job("tenset-mlp", {set("old"), set("new")});
  work.target.platform = "new";
  work.left_out = {.number = 1, .of = 3, .by = FoldBy::Task};
  const score::ScorerFile before = trained(work);
  MadeUp changed = small();
  for (std::uint32_t task = 0; task < 6; ++task) {
    const std::string key = "[\"task\", " + std::to_string(task) + "]";
    if (std::ranges::count(before.header.tasks, key) > 0) continue;
    for (std::uint32_t i = 0; i < 12; ++i) changed.changed.insert(12 * task + i);
  }
  EXPECT_EQ(changed.changed.size(), 24U);
  set("old", changed);
  set("new", changed);
  EXPECT_EQ(trained(work).weights == before.weights, true);
}

TEST_F(Transfer, StartsFromAScorer) {
  const Job first = job("tenset-mlp", {set("old")}, {}, "first");
  const score::ScorerFile source = trained(first);
  Job next = job("tenset-mlp", {set("new")}, {"epochs=0"});
  next.from = first.output;
  const score::ScorerFile unchanged = trained(next);
  EXPECT_EQ(unchanged.weights == source.weights, true);
  EXPECT_EQ(unchanged.header.tasks.size(), 6U);
  next.left_out = {.number = 0, .of = 3};  // what the first one has seen stays seen
  EXPECT_EQ(trained(next).header.tasks.size(), 6U);
  next.left_out = {};
  next.options.set("epochs", "1");
  EXPECT_EQ(trained(next).weights == source.weights, false);

  next.options.set("width", "32");
  EXPECT_NE(refusal(next).find("encoder.0.weight"), std::string::npos) << refusal(next);
  Job other = job("tlp", {set("new")});
  other.from = first.output;
  EXPECT_NE(refusal(other).find("of kind tenset-mlp"), std::string::npos) << refusal(other);
  other.from = "nowhere";
  EXPECT_NE(refusal(other).find("cannot read nowhere"), std::string::npos);
}

TEST_F(Transfer, ASourceThatDoesHarmIsLeftOut) {
  MadeUp like = {.tasks = 9, .programs = 24, .structures = 9, .failures = false};
  MadeUp opposite = like;
  opposite.machine_weight = -0.2;
  Job work = job("tenset-mlp", {set("like", like), set("opposite", opposite), set("new", like)},
                 {"guard=6", "width=32", "learning_rate=3e-3"});
  work.target = {.platform = "new", .labels = 120, .programs = {}};
  const score::ModelHeader header = trained(work).header;
  ASSERT_GE(events.size(), 2U);
  EXPECT_NE(events[0].find("\"platform\": \"like\""), std::string::npos) << events[0];
  EXPECT_NE(events[0].find("\"kept\""), std::string::npos) << events[0];
  EXPECT_NE(events[1].find("\"left out\""), std::string::npos) << events[1];
  EXPECT_EQ(header.platforms[1].first, "like");
  EXPECT_GT(header.platforms[1].second, 0);
  EXPECT_EQ(header.platforms[2], (std::pair<std::string, double>("opposite", 0)));
}

TEST_F(Transfer, SourcesThatCannotBeJudgedAreKeptWithAWord) {
  Job work = job("tenset-mlp", {set("old"), set("new")}, {"guard=1"});
  work.target = {.platform = "new", .labels = 0, .programs = {}};
  EXPECT_EQ(trained(work).header.platforms[1].second, 72);
  EXPECT_NE(events[1].find("no source was judged"), std::string::npos) << events[1];
}

}  // namespace
}  // namespace hone::train
