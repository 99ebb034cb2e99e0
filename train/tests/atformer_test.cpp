#include "train/atformer.h"

#include <numeric>

#include "base/error.h"
#include "train/tests/by_hand.h"
#include "train/tests/models.h"

namespace hone::train {
namespace {

constexpr int kWidth = 12, kHeads = 3, kLayers = 2;

Numbers layer_norm(const ByHand& weights, const std::string& name, const Numbers& x) {
  const auto n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double variance = 0;
  for (const double value : x) variance += (value - mean) * (value - mean) / n;
  Numbers y;
  for (std::size_t i = 0; i < x.size(); ++i)
    y.push_back((x[i] - mean) / std::sqrt(variance + 1e-5) * weights.at(name + ".weight")[i] +
                weights.at(name + ".bias")[i]);
  return y;
}

// What attention adds to each of x.
Table attention(const ByHand& weights, const std::string& name, const Table& x) {
  Table projected, out;
  for (const Numbers& row : x) projected.push_back(weights.linear(name + ".in", row));
  for (std::size_t i = 0; i < x.size(); ++i) {
    Numbers seen(kWidth);
    for (int head = 0; head < kHeads; ++head) {
      const int size = kWidth / kHeads, at = head * size;
      Numbers share(x.size());
      double total = 0;
      for (std::size_t j = 0; j < x.size(); ++j) {
        double product = 0;
        for (int d = 0; d < size; ++d) product += projected[i][at + d] * projected[j][kWidth + at + d];
        total += share[j] = std::exp(product / std::sqrt(size));
      }
      for (std::size_t j = 0; j < x.size(); ++j)
        for (int d = 0; d < size; ++d)
          seen[at + d] += share[j] / total * projected[j][2 * kWidth + at + d];
    }
    out.push_back(weights.linear(name + ".out", seen));
  }
  return out;
}

// `rows`: statements with the flags of their task. `padding`: statements at least, empty behind the
// encoder; 0 with mask.
double atformer_by_definition(const ByHand& weights, const Table& rows, std::size_t padding,
                              bool has_norm) {
  Table x;
  for (const Numbers& row : rows)
    x.push_back(weights.relu_linear(
        "encoder.1", weights.relu_linear("encoder.0", weights.normalised("rows.normaliser", row))));
  x.resize(std::max(padding, x.size()), Numbers(kWidth));
  for (int layer = 0; layer < kLayers; ++layer) {
    const std::string name = "layer" + std::to_string(layer);
    Table read;
    for (const Numbers& row : x)
      read.push_back(has_norm ? layer_norm(weights, name + ".norm", row) : row);
    const Table added = attention(weights, name + ".attention", read);
    for (std::size_t i = 0; i < x.size(); ++i)
      for (int d = 0; d < kWidth; ++d) x[i][d] += added[i][d];
  }
  Numbers sum(kWidth);
  for (const Numbers& row : x)
    for (int d = 0; d < kWidth; ++d) sum[d] += row[d];
  return weights.decoded(sum);
}

class AtFormerTest : public Models {
 protected:
  const std::vector<std::string> small_ = {"width=12", "heads=3"};
  const DataSet set_ = set({.statement_columns = 6});
  const Features features_{set_, {"statements", "embedding"}, torch::kCPU};
  std::vector<Program> all_ = [this] {
    std::vector<Program> programs(set_.n_programs());
    std::iota(programs.begin(), programs.end(), 0);
    return programs;
  }();

  std::shared_ptr<Model> disturbed(std::vector<std::string> settings) {
    settings.insert(settings.end(), small_.begin(), small_.end());
    const auto network = model("atformer", features_, settings);
    network->learn_inputs(features_, all_);
    disturb(*network);
    return network;
  }
  // The statements of a program as the network is to see them: 6 columns, 9 flags and a 0.
  Table statements(Program program) const {
    const Batch batch = features_.batch({program});
    Table rows = table_of(batch.view("statements").rows);
    const Numbers flags = table_of(batch.view("embedding").rows)[0];
    for (Numbers& row : rows) {
      row.insert(row.end(), flags.begin(), flags.end());
      row.push_back(0);
    }
    return rows;
  }
};

TEST_F(AtFormerTest, IsItsDefinition) {
  for (const bool has_mask : {true, false}) {
    for (const bool has_norm : {true, false}) {
      const auto network = disturbed({has_mask ? "mask=1" : "mask=0", has_norm ? "norm=1" : "norm=0"});
      const ByHand weights(*network);
      const torch::Tensor said = scores(*network, features_.batch(all_));
      for (const Program program : {0U, 1U, 2U, 45U}) {
        const double expected =
            atformer_by_definition(weights, statements(program), has_mask ? 0 : 3, has_norm);
        EXPECT_NEAR(said[program].item<double>(), expected, 1e-4) << has_mask << has_norm << program;
      }
    }
  }
}

TEST_F(AtFormerTest, AScoreDoesNotDependOnTheCompany) {
  for (const char* mask : {"mask=1", "mask=0"}) {
    const auto network = disturbed({mask});
    const torch::Tensor together = scores(*network, features_.batch(all_));
    for (const std::vector<Program>& some : {std::vector<Program>{0}, {5, 0, 31}, {2, 2, 2, 1, 7}}) {
      const torch::Tensor apart = scores(*network, features_.batch(some));
      for (std::size_t i = 0; i < some.size(); ++i)
        EXPECT_NEAR(apart[i].item<double>(), together[some[i]].item<double>(), 1e-5) << mask;
    }
  }
}

TEST_F(AtFormerTest, OnlyWithoutMaskEmptyStatementsCount) {
  const auto plain = disturbed({"mask=0", "padding=3"}), longer = disturbed({"mask=0", "padding=4"});
  const auto masked = disturbed({"padding=3"}), also_masked = disturbed({"padding=4"});
  const Batch batch = features_.batch({0, 1, 2});
  EXPECT_FALSE(torch::allclose(scores(*plain, batch), scores(*longer, batch)));
  EXPECT_TRUE(torch::equal(scores(*masked, batch), scores(*also_masked, batch)));
}

TEST_F(AtFormerTest, AProgramWithoutStatementsHasAScore) {
  Batch batch = features_.batch({0, 1});
  View& view = batch.views["statements"];
  const torch::Tensor kept = torch::nonzero(view.program == 1).squeeze(1);
  for (torch::Tensor* part : {&view.rows, &view.program, &view.place})
    *part = part->index_select(0, kept);
  view.lengths[0] = 0;
  const auto network = disturbed({});
  const torch::Tensor said = scores(*network, batch);
  EXPECT_NEAR(said[0].item<double>(), ByHand(*network).decoded(Numbers(kWidth)), 1e-5);
  EXPECT_NEAR(said[1].item<double>(), scores(*network, features_.batch({1})).item<double>(), 1e-5);
}

TEST_F(AtFormerTest, OptionsThatMeanNothingAreRefused) {
  for (const char* setting : {"mask=yes", "norm=2", "heads=7", "heads=0"})
    EXPECT_THROW(model("atformer", features_, {setting}), UserError) << setting;
}

}  // namespace
}  // namespace hone::train
