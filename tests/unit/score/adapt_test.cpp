// A machine on which other things cost than where the scorer learned.
#include "score/adapt.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "score/metrics.h"
#include "tests/unit/score/hone_by_hand.h"

namespace hone::score {
namespace {

constexpr std::uint32_t kTasks = 24, kUnseenTasks = 8, kPrograms = 8;

// Programs of many tasks; `seconds_of` is the new machine.
template <class SecondsOf>
Labelled labelled(Weights& weights, std::uint32_t tasks, const SecondsOf& seconds_of) {
  Labelled out;
  for (std::uint32_t task = 0; task < tasks; ++task) {
    out.keys.push_back("[\"task " + std::to_string(task) + "\"]");
    for (std::uint32_t i = 0; i < kPrograms; ++i) {
      out.samples.push_back(std::move(hone_samples(weights)[i % 6]));
      out.task_of.push_back(task);
    }
  }
  for (std::size_t i = 0; i < out.samples.size(); ++i)
    out.seconds.push_back(seconds_of(out.samples[i], out.task_of[i]));
  return out;
}

double mean_order(const ScorerFile& file, const Labelled& labels) {
  const auto network = make_network(file, evaluated);
  std::vector<double> said;
  for (const Prediction& prediction : network->predict(labels.samples))
    said.push_back(prediction.score * prediction.valid);
  double sum = 0;
  const std::size_t n = labels.keys.size();
  for (std::size_t task = 0; task < n; ++task) {
    const std::span of_task(said.data() + task * kPrograms, kPrograms);
    const std::span times(labels.seconds.data() + task * kPrograms, kPrograms);
    sum += pairwise_accuracy(of_task, times) / static_cast<double>(n);
  }
  return sum;
}

// Time that follows from what the network reads, though not as its own head has it.
class OtherMachine {
 public:
  explicit OtherMachine(const ScorerFile& source) : network_(make_network(source, evaluated, true)) {}
  double operator()(const Sample& sample, std::uint32_t task) const {
    const std::vector<float> hidden = network_->predict(std::span(&sample, 1))[0].hidden;
    double sum = 0;
    for (std::size_t j = 0; j < hidden.size(); ++j) sum += hidden[j] * (j % 3 == 0 ? 1.5 : -0.5);
    return 1e-3 * (1 + task) * std::exp(sum);
  }

 private:
  std::unique_ptr<Network> network_;
};

TEST(Adapt, ALastLayerLearnsTheNewMachine) {
  Weights weights = hone_weights();
  const ScorerFile source = hone_file(weights.print());
  const OtherMachine machine(source);
  const Labelled seen = labelled(weights, kTasks, machine);
  const Labelled unseen = labelled(weights, kUnseenTasks, machine);
  const AdaptResult adapted = adapt(source, evaluated, seen, {.ways = {Adaption::LastLayer}});
  EXPECT_EQ(adapted.chosen.way, Adaption::LastLayer);
  EXPECT_GT(adapted.chosen.gain, adapted.chosen.doubt);
  EXPECT_EQ(adapted.trials.front().way, Adaption::Frozen);
  const double before = mean_order(source, unseen), after = mean_order(adapted.file, unseen);
  EXPECT_LT(before, 0.8);
  EXPECT_GT(after, 0.88);
  EXPECT_GT(after, before + 0.1);
  // It says whose labels it has seen, and the same labels give the same file.
  EXPECT_EQ(adapted.file.header.tasks, seen.keys);
  const AdaptResult again = adapt(source, evaluated, seen, {.ways = {Adaption::LastLayer}});
  EXPECT_EQ(print_scorer(again.file), print_scorer(adapted.file));
  const ScorerFile read = parse_scorer(print_scorer(adapted.file), "memory");
  EXPECT_EQ(mean_order(read, unseen), after);
}

TEST(Adapt, EveryWayIsTriedAndNamed) {
  Weights weights = hone_weights();
  const ScorerFile source = hone_file(weights.print());
  const AdaptResult adapted = adapt(source, evaluated, labelled(weights, kTasks, OtherMachine(source)));
  std::vector<std::string> names;
  for (const AdaptTrial& trial : adapted.trials)
    if (names.empty() || names.back() != name_of(trial.way)) names.emplace_back(name_of(trial.way));
  EXPECT_EQ(names, (std::vector<std::string>{"frozen", "last layer", "distilled", "momentum teacher",
                                             "trees", "last layer and trees"}));
  for (const AdaptTrial& trial : adapted.trials) EXPECT_LE(trial.order, adapted.chosen.order);
}

// What trees of the source do not explain, more trees do: a column of `summary` that costs here.
TEST(Adapt, TreesGoOnFromThoseOfTheSource) {
  Weights weights = hone_weights();
  const Forest small{.columns = 10, .depth = 1, .splits = {{0, 4}}, .leaves = {0.25F, 3}};
  const ScorerFile source = hone_file(with_trees(weights, small));
  const auto machine = [](const Sample& sample, std::uint32_t) {
    return 1e-3 * std::exp(3 * sample.views[3].values[2]);
  };
  const Labelled seen = labelled(weights, kTasks, machine);
  const Labelled unseen = labelled(weights, kUnseenTasks, machine);
  const AdaptResult adapted = adapt(source, evaluated, seen, {.ways = {Adaption::Trees}});
  ASSERT_EQ(adapted.chosen.way, Adaption::Trees);
  EXPECT_GT(mean_order(adapted.file, unseen), mean_order(source, unseen) + 0.1);
  const Forest all = parse_forest(parse_tensors(adapted.file.weights));
  EXPECT_GT(all.n_trees(), 10U);
  const std::vector<float> row(10, -1);
  EXPECT_NE(all.values(row), small.values(row));
}

TEST(Adapt, WithoutAnythingToLearnTheSourceStays) {
  Weights weights = hone_weights();
  const ScorerFile source = hone_file(weights.print());
  // Agrees with the source already.
  const auto network = make_network(source, evaluated);
  const auto same = [&](const Sample& sample, std::uint32_t) {
    const Prediction said = network->predict(std::span(&sample, 1))[0];
    return 1e-3 / (said.score * said.valid);
  };
  const AdaptResult kept = adapt(source, evaluated, labelled(weights, kTasks, same));
  EXPECT_TRUE(kept.is_source());
  EXPECT_EQ(kept.file.weights, source.weights);
  // Too few tasks, and programs that all failed.
  EXPECT_TRUE(adapt(source, evaluated, labelled(weights, 3, same)).is_source());
  const auto failed = [](const Sample&, std::uint32_t) { return NAN; };
  EXPECT_TRUE(adapt(source, evaluated, labelled(weights, kTasks, failed)).is_source());
}

TEST(Adapt, OtherKindsAreRefused) {
  ScorerFile file;
  file.header.kind = "tlp";
  EXPECT_THROW(adapt(file, evaluated, {}), UserError);
}

}  // namespace
}  // namespace hone::score
