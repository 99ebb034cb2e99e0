// MTL-TLP: one network for several machines.
#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "train/kinds.h"
#include "train/model.h"
#include "train/same_programs.h"
#include "train/tests/by_hand.h"
#include "train/tests/fixture.h"

namespace hone::train {
namespace {

using torch::Tensor;

// The same programs on several machines, `machines[0]` the target.
DataSet on_machines(const std::vector<std::string>& machines, const MadeUp& like = {.tasks = 2}) {
  std::vector<std::string> paths;
  for (const std::string& machine : machines) {
    MadeUp made_up = like;
    made_up.machine = machine;
    paths.push_back(temporary_file(machine + ".hds"));
    write_made_up_set(paths.back(), made_up);
  }
  DataSet set = load_data_sets(paths, "min");
  set_target(set, machines.front());
  for (Platform& platform : set.platforms) platform.labels = 1;
  return set;
}

std::shared_ptr<Model> mtl_model(const Features& features, const std::vector<std::string>& settings) {
  torch::manual_seed(1);
  Options options = kind_named("mtl-tlp").defaults();
  options.set_all(settings);
  return kind_named("mtl-tlp").make(options, features);
}

std::int64_t n_parameters_of(const DataSet& set, const std::vector<std::string>& settings = {}) {
  std::int64_t count = 0;
  const Features features(set, {"tlp"}, torch::kCPU);
  for (const Tensor& parameter : mtl_model(features, settings)->parameters())
    count += parameter.numel();
  return count;
}

double decoded(const ByHand& model, const std::string& decoder, Numbers x) {
  for (const char* block : {"blocks.0", "blocks.1"}) {
    const Numbers more = model.relu_linear(block, x);
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += more[i];
  }
  for (const char* layer : {".0", ".1", ".2"}) x = model.relu_linear(decoder + layer, x);
  return model.linear(decoder + ".3", x)[0];
}

// Eight heads of attention between all steps, padding included; then each step by itself, summed.
double score_by_hand(const ByHand& model, const std::string& decoder, const Table& rows) {
  Table x, parts;
  for (Numbers row : rows) {
    for (const char* layer : {"encoder.0", "encoder.1", "encoder.2", "encoder.3"})
      row = model.relu_linear(layer, row);
    parts.push_back(model.linear("attention0.in", row));
    x.push_back(std::move(row));
  }
  const std::size_t width = x[0].size(), size = width / 8;
  double sum = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    Numbers seen(width);
    for (std::size_t at = 0; at < width; at += size) {
      Numbers share;
      double total = 0;
      for (const Numbers& other : parts) {
        double product = 0;
        for (std::size_t d = at; d < at + size; ++d) product += parts[i][d] * other[width + d];
        total += share.emplace_back(std::exp(product / std::sqrt(static_cast<double>(size))));
      }
      for (std::size_t j = 0; j < parts.size(); ++j)
        for (std::size_t d = at; d < at + size; ++d)
          seen[d] += share[j] / total * parts[j][2 * width + d];
    }
    Numbers y = model.linear("attention0.out", seen);
    for (std::size_t d = 0; d < width; ++d) y[d] += x[i][d];
    sum += decoded(model, decoder, y);
  }
  return sum;
}

TEST(MtlTlp, HasThePublishedNumbersOfParameters) {
  EXPECT_EQ(n_parameters_of(on_machines({"a"})), 610'369);
  EXPECT_EQ(n_parameters_of(on_machines({"a", "b"})), 610'369 + 107'009);
  EXPECT_EQ(n_parameters_of(on_machines({"a", "b", "c", "d", "e"})), 1'038'405);
  EXPECT_EQ(n_parameters_of(on_machines({"a", "b"}), {"columns=20"}), 717'250);  // as on GPUs
}

TEST(MtlTlp, IsItsDefinition) {
  const DataSet set = on_machines({"a", "b", "c"});
  const Features features(set, {"tlp"}, torch::kCPU);
  const torch::NoGradGuard no_gradient;
  const Batch batch = features.batch({3});
  const auto answer = [&](const char* who) {
    const auto model = mtl_model(features, {std::string("answer=") + who, "steps=9"});
    return model->predict(batch).score.item<double>();
  };
  const ByHand by_hand(*mtl_model(features, {"steps=9"}));
  std::vector<double> said;
  Table rows = table_of(batch.view("tlp").rows);
  rows.resize(9, Numbers(22));
  for (const char* decoder : {"decoder0", "decoder1", "decoder2"})
    said.push_back(score_by_hand(by_hand, decoder, rows));
  EXPECT_NEAR(answer("auto"), said[0], 1e-4);
  EXPECT_NEAR(answer("first"), said[0], 1e-4);
  EXPECT_NEAR(answer("others"), (said[1] + said[2]) / 2, 1e-4);
  EXPECT_NEAR(answer("all"), (said[0] + said[1] + said[2]) / 3, 1e-4);
}

// Of the flags and of the padding nothing changes.
TEST(MtlTlp, WithLogNumbersIsItsDefinitionOnALogarithmicScale) {
  const Features features(on_machines({"a"}), {"tlp"}, torch::kCPU);
  const torch::NoGradGuard no_gradient;
  Batch batch = features.batch({3});
  Table rows(9, Numbers(22)), scaled = rows;
  Tensor& given = batch.views["tlp"].rows;
  for (std::int64_t i = 0; i < given.size(0); ++i) {
    const double small = 1 << i, large = std::round(3e8 / (1 + i));
    rows[i][i] = scaled[i][i] = 1;  // the kind of step
    rows[i][12] = small - 1;
    scaled[i][12] = i;
    rows[i][13] = 1 - small;
    scaled[i][13] = -i;
    rows[i][14] = large;
    scaled[i][14] = std::log(large + 1) / std::log(2);
    given[i] = torch::tensor(rows[i]).to(torch::kFloat);
  }
  const auto score_with = [&](const char* numbers) {
    return mtl_model(features, {"steps=9", numbers})->predict(batch).score.item<double>();
  };
  const ByHand by_hand(*mtl_model(features, {"steps=9"}));
  const double expected = score_by_hand(by_hand, "decoder0", scaled);
  EXPECT_NEAR(score_with("numbers=log"), expected, 1e-4);
  EXPECT_GT(std::abs(score_with("numbers=raw") - expected), 1);
}

TEST(MtlTlp, OthersAnswerForATargetWithoutLabels) {
  DataSet set = on_machines({"a", "b"});
  set.platforms[0].labels = 0;
  const Features features(set, {"tlp"}, torch::kCPU);
  Options options = kind_named("mtl-tlp").defaults();
  mtl_model(features, {})->settle(options);
  EXPECT_EQ(options.text("answer"), "others");
  EXPECT_EQ(options.text("platforms"), "2");
  DataSet alone = on_machines({"a"});
  alone.platforms[0].labels = 0;
  EXPECT_THROW(mtl_model(Features(alone, {"tlp"}, torch::kCPU), {}), UserError);
}

// Programs 0-39 are those of machine a, and 40-79 the same on machine b.
TEST(MtlTlp, CopiesOfAProgramAreOneWithTwoLabels) {
  const DataSet set = on_machines({"a", "b"});
  const std::vector<Program> same = first_of_same(set);
  for (Program i = 0; i < 40; ++i) {
    EXPECT_EQ(same[i], i);
    EXPECT_EQ(same[40 + i], i);
  }
  std::size_t n = 0;
  for (const ListBatch& lists : batches_of_epoch(set, {0, 1, 2, 3}, {16}, 1, 1, same)) {
    const Lesson lesson = lesson_of(set, lists, same, torch::kCPU);
    EXPECT_LE(lesson.programs.size(), 16U);
    EXPECT_EQ(lists.size(), 2U);
    EXPECT_EQ(lesson.labels.platform, (std::vector<std::int64_t>{0, 1}));
    const Tensor spread = lesson.labels.spread(torch::arange(std::ssize(lesson.programs)));
    for (std::size_t list = 0; list < 2; ++list)
      for (std::size_t i = 0; i < lists[list].size(); ++i)
        EXPECT_EQ(lesson.programs[spread[list][i].item<std::int64_t>()], same[lists[list][i]]);
    n += lesson.programs.size();
  }
  EXPECT_EQ(n, 40U);
}

TEST(MtlTlp, StepsAloneDoNotMakeProgramsTheSame) {
  DataSet set = on_machines({"a", "b"});
  for (Task& task : set.tasks)
    if (task.platform == 1) task.key += " of another shape";
  const std::vector<Program> same = first_of_same(set);
  for (Program i = 0; i < 80; ++i) EXPECT_EQ(same[i], i);
}

TEST(MtlTlp, TheLossIsTheSumOverMachinesAndMissingLabelsAddNothing) {
  const DataSet set = on_machines({"a", "b", "c"});
  const std::vector<Program> same = first_of_same(set);
  const Features features(set, {"tlp"}, torch::kCPU);
  const ListBatch lists = {{0, 1, 2, 3}, {41, 42, 43, 44, 45}};  // nothing of machine c
  const Lesson lesson = lesson_of(set, lists, same, torch::kCPU);
  EXPECT_EQ(lesson.programs.size(), 6U);
  const auto loss_of = [&](const char* weighting) {
    const auto model = mtl_model(features, {std::string("weighting=") + weighting, "steps=6"});
    return model->loss(features.batch(lesson.programs), lesson.labels);
  };
  const auto of_list = [&](std::size_t list) {
    const auto model =
        mtl_model(features, {list == 0 ? "answer=first" : "answer=others", "platforms=2", "steps=6"});
    const Tensor scores = model->predict(features.batch(lists[list])).score.unsqueeze(0);
    std::vector<float> speed;
    for (const Program program : lists[list]) speed.push_back(set.speed[program]);
    return lambda_rank(scores, torch::tensor(speed).unsqueeze(0),
                       torch::ones_like(scores, torch::kBool))
        .item<float>();
  };
  EXPECT_NEAR(loss_of("sum").item<float>(), of_list(0) + of_list(1), 1e-4);
  EXPECT_NEAR(loss_of("labels").item<float>(), 3 * (4 * of_list(0) + 5 * of_list(1)) / 9, 1e-4);

  const auto model = mtl_model(features, {"steps=6"});
  model->loss(features.batch(lesson.programs), lesson.labels).backward();
  const auto gradient = [&](const char* name) { return model->named_parameters()[name].grad(); };
  EXPECT_GT(gradient("decoder0.0.weight").abs().max().item<float>(), 0);
  EXPECT_GT(gradient("decoder1.0.weight").abs().max().item<float>(), 0);
  EXPECT_FALSE(gradient("decoder2.0.weight").defined());
}

TEST(MtlTlp, MoreMachinesThanDecodersAreRefused) {
  const DataSet set = on_machines({"a", "b", "c"});
  const Features features(set, {"tlp"}, torch::kCPU);
  const Lesson lesson = lesson_of(set, {{80, 81}}, first_of_same(set), torch::kCPU);
  const auto model = mtl_model(features, {"platforms=2"});
  EXPECT_THROW(model->loss(features.batch(lesson.programs), lesson.labels), UserError);
}

}  // namespace
}  // namespace hone::train
