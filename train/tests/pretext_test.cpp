#include "train/pretext.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "train/kinds.h"
#include "train/model.h"
#include "train/tests/fixture.h"

namespace hone::train {
namespace {

using torch::Tensor;

class Pretexts : public testing::Test {
 protected:
  Pretexts()
      : set_(made_set()), features_(set_, {"tlp"}, torch::kCPU), options_(tlp_backbone_options()) {
    torch::manual_seed(1);
    options_.set("steps", "8");
    backbone_.emplace(owner_, options_, features_);
    pretext_ = Pretext(*backbone_);
  }
  static DataSet made_set() {
    const std::string path = temporary_file("set.hds");
    write_made_up_set(path, {.tasks = 2});
    return load_data_set(path, "min");
  }
  // The same batch with another row `place` of its only program.
  static Batch changed(Batch batch, std::int64_t place) {
    batch.views["tlp"].rows = batch.view("tlp").rows.clone();
    batch.views["tlp"].rows[place] = 1 - batch.views["tlp"].rows[place];
    return batch;
  }

  DataSet set_;
  Features features_;
  Options options_;
  torch::nn::Module owner_;
  std::optional<TlpBackbone> backbone_;
  Pretext pretext_{nullptr};
};

// Two steps and the end of the program.
struct SaidRows {
  Tensor said = torch::randn({3, 23}, torch::kDouble);
  Tensor rows = torch::zeros({3, 22}, torch::kDouble);
  SaidRows() {
    rows[0][4] = 1;
    rows[0][12] = 1000;
    rows[1][0] = 1;
    rows[1][21] = -3;
  }
};

TEST(RowError, ItsGradientIsThatOfSmallDifferences) {
  torch::manual_seed(2);
  const SaidRows example;
  const Tensor said = example.said.clone().requires_grad_();
  row_error(said, example.rows).backward();
  for (std::int64_t i = 0; i < said.numel(); ++i) {
    const auto moved = [&](double by) {
      Tensor other = example.said.clone();
      other.view(-1)[i] += by;
      return row_error(other, example.rows).item<double>();
    };
    EXPECT_NEAR(said.grad().view(-1)[i].item<double>(), (moved(1e-6) - moved(-1e-6)) / 2e-6, 1e-7) << i;
  }
}

// Parameters are compared with the true row: what was said of them costs nothing only when it is right.
TEST(RowError, IsSmallestWhereTheTruthIsSaid) {
  SaidRows example;
  example.said.zero_();
  example.said[0][4] = example.said[1][0] = example.said[2][11] = 50;
  const Tensor numbers = example.rows.slice(1, 11);
  example.said.slice(1, 12).copy_(numbers.sign() * torch::log2(numbers.abs() + 1));
  EXPECT_NEAR(row_error(example.said, example.rows).item<double>(), 0, 1e-12);
  example.said[0][13] = 0;  // log2(1001) off in one of eleven numbers of two steps and an end
  const double off = std::log2(1001.0);
  EXPECT_NEAR(row_error(example.said, example.rows).item<double>(), off * off / 11 / 3, 1e-9);
  example.said[2][15] = 9;  // the end has no numbers
  EXPECT_NEAR(row_error(example.said, example.rows).item<double>(), off * off / 11 / 3, 1e-9);
}

TEST_F(Pretexts, TheNextStepIsToldFromThoseBefore) {
  const Batch batch = features_.batch({3});  // six steps
  const Guess guess = pretext_->next(*backbone_, batch);
  ASSERT_EQ(guess.said.size(0), 6);
  EXPECT_TRUE(torch::equal(guess.rows.slice(0, 0, 5), batch.view("tlp").rows.slice(0, 1)));
  EXPECT_EQ(guess.rows[5].abs().sum().item<float>(), 0);  // then the program ends
  const Guess other = pretext_->next(*backbone_, changed(batch, 3));
  EXPECT_TRUE(torch::allclose(guess.said.slice(0, 0, 3), other.said.slice(0, 0, 3)));
  EXPECT_FALSE(torch::allclose(guess.said[3], other.said[3]));
}

TEST_F(Pretexts, HiddenStepsAreToldFromTheOthersAlone) {
  const Batch batch = features_.batch({3});
  Tensor hidden = torch::zeros({1, 8}, torch::kBool);
  hidden[0][2] = hidden[0][4] = hidden[0][7] = true;  // there is no step 7
  const Guess guess = pretext_->masked(*backbone_, batch, hidden);
  ASSERT_EQ(guess.said.size(0), 2);
  EXPECT_TRUE(torch::equal(guess.rows[1], batch.view("tlp").rows[4]));
  EXPECT_TRUE(torch::equal(pretext_->masked(*backbone_, changed(batch, 4), hidden).said, guess.said));
  EXPECT_FALSE(
      torch::allclose(pretext_->masked(*backbone_, changed(batch, 3), hidden).said, guess.said));
  EXPECT_FALSE(torch::allclose(guess.said[0], guess.said[1]));  // a step knows its place
}

// Rows that are to be told are on a logarithmic scale whatever the backbone reads: not twice.
TEST_F(Pretexts, LogNumbersAreReadAndTheSameRowsAreTold) {
  Batch batch = features_.batch({3}), scaled = batch;
  batch.views["tlp"].rows = 1000 * batch.view("tlp").rows;
  scaled.views["tlp"].rows = torch::log2(batch.view("tlp").rows + 1);
  options_.set("numbers", "log");
  torch::manual_seed(1);
  torch::nn::Module owner;
  TlpBackbone of_logs(owner, options_, features_);
  const Guess guess = pretext_->next(of_logs, batch);
  EXPECT_TRUE(torch::equal(guess.rows.slice(0, 0, 5), batch.view("tlp").rows.slice(0, 1)));
  EXPECT_TRUE(torch::equal(guess.said, pretext_->next(*backbone_, scaled).said));
  const Tensor hidden = torch::arange(8).unsqueeze(0) == 2;
  const Guess missing = pretext_->masked(of_logs, batch, hidden);
  EXPECT_TRUE(torch::equal(missing.rows[0], batch.view("tlp").rows[2]));
  EXPECT_TRUE(torch::equal(missing.said, pretext_->masked(*backbone_, scaled, hidden).said));
}

TEST_F(Pretexts, AreLearnedAndLeaveNothingBehind) {
  const std::atomic<bool> never = false;
  std::vector<Program> all(set_.n_programs());
  for (Program i = 0; i < all.size(); ++i) all[i] = i;
  for (const char* task : {"next", "masked"}) {
    Options options = kind_named("tlp").defaults();
    options.set_all({std::string("pretrain=") + task, "pretrain_epochs=4", "batch=8", "steps=8"});
    const auto model = kind_named("tlp").make(options, features_);
    const std::size_t before = model->parameters().size();
    std::vector<std::string> lines;
    const Listener listen = [&](const Event& event) { lines.push_back(event.line()); };
    ASSERT_TRUE(model->pretrain({options, features_, all, listen, never}));
    EXPECT_EQ(model->parameters().size(), before);
    ASSERT_EQ(lines.size(), 4U);
    const auto loss = [&](std::size_t i) {
      return std::stod(lines[i].substr(lines[i].find("loss") + 7));
    };
    EXPECT_LT(loss(3), loss(0)) << task;
    const std::atomic<bool> now = true;
    EXPECT_FALSE(model->pretrain({options, features_, all, listen, now}));
    options.set("backend", "lstm");
    EXPECT_THROW(model->pretrain({options, features_, all, listen, never}), UserError);
  }
}

}  // namespace
}  // namespace hone::train
