#include "train/hone_model.h"

#include <optional>

#include "base/error.h"
#include "score/opinion.h"
#include "train/kinds.h"
#include "train/layers.h"
#include "train/model.h"
#include "train/programs_by_part.h"
#include "train/tree_options.h"

namespace hone::train {
namespace {

using torch::Tensor;

const std::vector<std::string> kRowViews = {"statements", "primitives"};
const std::vector<std::string> kWholeViews = {"context", "summary"};  // one row a program
const std::vector<std::string> kViews = {"statements", "primitives", "context", "summary"};  // both

// Rows encoded one by one, then their sum (how much there is) and their maximum (what stands out).
// Sums grow with the rows, so they are taken on a scale on which a program of ten rows is ordinary.
class RowEncoderImpl : public torch::nn::Module {
 public:
  RowEncoderImpl(std::int64_t columns, std::int64_t width, std::int64_t heads)
      : encoder_(register_module("encoder", Chain(std::vector{columns, width, width}, true))) {
    if (heads > 0) attention_ = register_module("attention", SelfAttention(width, heads));
  }

  Tensor forward(const Tensor& rows, const View& view) {
    constexpr double kOrdinaryRows = 10;
    Tensor x = view.pad(encoder_->forward(rows));
    if (!attention_.is_empty()) {
      const Tensor mask = view.mask();
      x = torch::relu(attention_->forward(x, mask) + x) * mask.unsqueeze(2);
    }
    // After ReLU nothing is below the zeros of the padding.
    return torch::cat({x.sum(1) / kOrdinaryRows, x.amax(1)}, 1);
  }

 private:
  Chain encoder_{nullptr};
  SelfAttention attention_{nullptr};
};
TORCH_MODULE(RowEncoder);

// The views meet late, as one vector each, so that rows which siblings share are encoded once.
class MemberImpl : public torch::nn::Module {
 public:
  MemberImpl(const Options& options, const Features& features) {
    const std::int64_t width = options.whole("width"), fused = options.whole("fused_width");
    for (const std::string& name : kRowViews) {
      const std::int64_t heads = name == "primitives" ? options.whole("heads") : 0;
      encoders_.push_back(register_module(name, RowEncoder(features.info(name).columns, width, heads)));
    }
    std::int64_t inputs = 2 * width * static_cast<std::int64_t>(kRowViews.size());
    for (const std::string& name : kWholeViews) inputs += features.info(name).columns;
    fuse_ = register_module("fuse", Chain(std::vector{inputs, fused}, true));
    blocks_ = register_module("blocks", ResidualBlocks(fused, options.whole("blocks")));
    heads_ = register_module("heads", torch::nn::Linear(fused, 2));
  }

  // [n, 2]: log of latency / best of the task, and the logit of being valid.
  Tensor forward(const Batch& batch, const std::vector<Tensor>& rows, const Tensor& whole) {
    std::vector<Tensor> parts = {whole};
    for (std::size_t i = 0; i < kRowViews.size(); ++i)
      parts.push_back(encoders_[i]->forward(rows[i], batch.view(kRowViews[i])));
    return heads_->forward(blocks_->forward(fuse_->forward(torch::cat(parts, 1))));
  }

 private:
  std::vector<RowEncoder> encoders_;
  Chain fuse_{nullptr};
  ResidualBlocks blocks_{nullptr};
  torch::nn::Linear heads_{nullptr};
};
TORCH_MODULE(Member);

// Members differ in their first weights alone; where they were taught the same they agree, and where
// nothing was taught they do not. A pick must be good in the eyes of all: one catastrophe costs more
// than many small gains.
class HoneModel final : public Model {
 public:
  HoneModel(const Options& options, const Features& features)
      : rank_loss_(loss_named(options.text("loss"))),
        rank_weight_(options.number("rank_weight")),
        latency_weight_(options.number("latency_weight")),
        valid_weight_(options.number("valid_weight")),
        delta_(options.number("delta")),
        caution_(options.number("caution")),
        tree_share_(options.number("tree_share")) {
    for (const std::string& name : kViews)
      normalisers_.push_back(
          register_module(name + "_normaliser", Normaliser(features.info(name).columns)));
    for (const std::string& name : kWholeViews) whole_columns_ += features.info(name).columns;
    for (std::int64_t i = 0; i < options.whole("members"); ++i)
      members_.push_back(register_module("member" + std::to_string(i), Member(options, features)));
    if (members_.empty()) throw UserError("a model has members", "members: 3 to 5");
  }

  void learn_inputs(const Features& features, const std::vector<Program>& training) override;

  Prediction predict(const Batch& batch) override {
    const Tensor all = forward(batch);  // [members, n, 2]
    const Tensor log_latency = all.select(2, 0);
    score::Opinion<Tensor> opinion{log_latency.mean(0), log_latency.std(0, /*unbiased=*/false)};
    if (forest_) opinion = join(opinion, ask_trees(batch), share_of_trees(batch));
    const Tensor valid = torch::sigmoid(all.select(2, 1)).mean(0);
    return {torch::log(valid) - opinion.log_latency - caution_ * opinion.spread, opinion.spread, valid};
  }

  void take_forest(score::Forest forest) override {
    if (static_cast<std::int64_t>(forest.columns) != whole_columns_)
      throw UserError("the trees of the scorer were grown for other networks: they look at " +
                          std::to_string(forest.columns) + " columns of " +
                          std::to_string(whole_columns_),
                      "join them again with `hone train --networks`");
    forest_ = std::move(forest);
  }

  Tensor loss(const Batch& batch, const Labels& labels) override {
    const Tensor all = forward(batch);
    const Tensor measured = labels.present.logical_and(labels.works);
    const Tensor slowness = -torch::log(labels.speed.clamp_min(1e-10));
    const auto n_lists = static_cast<double>(labels.speed.size(0));
    Tensor sum = torch::zeros({}, all.options());
    for (const Tensor& member : all.unbind(0)) {
      const Tensor log_latency = labels.spread(member.select(1, 0));
      sum = sum + rank_weight_ / n_lists * rank_loss_(-log_latency, labels.speed, measured);
      sum = sum + latency_weight_ * robust_error(log_latency, slowness, measured, delta_);
      const Tensor valid = torch::binary_cross_entropy_with_logits(
          labels.spread(member.select(1, 1)), labels.works.to(all.dtype()), /*weight=*/{},
          /*pos_weight=*/{}, at::Reduction::None);
      sum = sum + valid_weight_ * (valid * labels.present).sum() / labels.present.sum();
    }
    return sum / static_cast<double>(members_.size());
  }

 private:
  Tensor forward(const Batch& batch) {
    std::vector<Tensor> rows, wholes;
    for (std::size_t i = 0; i < kViews.size(); ++i) {
      const View& view = batch.view(kViews[i]);
      const Tensor known = normalisers_[i]->forward(view.rows);
      i < kRowViews.size() ? rows.push_back(known) : wholes.push_back(view.pad(known, 1).squeeze(1));
    }
    const Tensor whole = torch::cat(wholes, 1);
    std::vector<Tensor> out;
    for (Member& member : members_) out.push_back(member->forward(batch, rows, whole));
    return torch::stack(out);
  }

  // [n]: the log of latency / best, too.
  Tensor ask_trees(const Batch& batch) const {
    std::vector<Tensor> wholes;
    for (const std::string& name : kWholeViews)
      wholes.push_back(batch.view(name).pad(batch.view(name).rows, 1).squeeze(1));
    const Tensor rows = torch::cat(wholes, 1).to(torch::kCPU).contiguous();
    const auto n = static_cast<std::size_t>(rows.numel());
    return torch::tensor(forest_->values({rows.data_ptr<float>(), n})).to(wholes[0].device());
  }

  // [n]: trees have no say about programs that have no summary.
  Tensor share_of_trees(const Batch& batch) const {
    return tree_share_ * (batch.view("summary").counts() > 0).to(torch::kFloat);
  }

  ListLoss rank_loss_;
  double rank_weight_, latency_weight_, valid_weight_, delta_, caution_, tree_share_;
  std::vector<Normaliser> normalisers_;
  std::vector<Member> members_;
  std::int64_t whole_columns_ = 0;
  std::optional<score::Forest> forest_;  // over the whole views, one behind the other
};

void HoneModel::learn_inputs(const Features& features, const std::vector<Program>& training) {
  const auto options = torch::TensorOptions(torch::kDouble).device(features.device());
  for (std::size_t i = 0; i < kViews.size(); ++i) {
    const std::int64_t columns = features.info(kViews[i]).columns;
    Tensor sum = torch::zeros({columns}, options), squares = torch::zeros({columns}, options);
    double count = 0;
    for_each_part(features, training, [&](const Batch& batch) {
      const Tensor rows = batch.view(kViews[i]).rows.to(torch::kDouble);
      sum = sum + rows.sum(0);
      squares = squares + rows.square().sum(0);
      count += static_cast<double>(rows.size(0));
    });
    const Tensor mean = sum / std::max(1.0, count);
    const Tensor deviation = (squares / std::max(1.0, count) - mean.square()).clamp_min(0).sqrt();
    // A column that hardly moves in training must not become loud when it does later.
    constexpr double kStill = 1e-3;
    const Tensor scale = torch::where(deviation > kStill, 1 / deviation, torch::ones_like(deviation));
    normalisers_[i]->set(mean.to(torch::kFloat), scale.to(torch::kFloat));
  }
}

}  // namespace

Options hone_options() {
  return published_recipe()
      .with({{"epochs", "20"},
             {"batch", "1024"},
             {"list", "64"},
             {"label", "min"},
             {"learning_rate", "1e-3"},
             {"schedule", "cosine"},
             {"clip", "1"},
             {"select", "last"}})
      .and_also({
          {"members", "4", "networks whose disagreement tells how sure they are"},
          {"width", "64", "of what a row is encoded to"},
          {"heads", "0", "of attention between primitives; 0: none"},
          {"fused_width", "128", "of the layers behind the views"},
          {"blocks", "1", "residual blocks behind the views"},
          {"rank_weight", "1", "of the ranking in the loss, a list"},
          {"latency_weight", "0.3", "of the error of the log of latency / best"},
          {"valid_weight", "0.2", "of the part that tells whether a program works"},
          {"delta", "1", "error of that log from which on it counts linearly"},
      })
      .and_also(tree_options());
}

std::shared_ptr<Model> make_hone_model(const Options& options, const Features& features) {
  return std::make_shared<HoneModel>(options, features);
}

}  // namespace hone::train
