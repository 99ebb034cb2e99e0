#include "train/hone_model.h"

#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "score/opinion.h"
#include "train/hone_loss.h"
#include "train/hone_member.h"
#include "train/kinds.h"
#include "train/model.h"
#include "train/programs_by_part.h"
#include "train/tree_options.h"

namespace hone::train {
namespace {

using torch::Tensor;

// A machine's descriptor is one row, too. What is far from all machines of training counts as that far.
constexpr double kFarMachine = 2;

bool reads_machine(const Options& options) {
  return options.word("machine", {"none", "descriptor"}) == "descriptor";
}

// Of rows that come a few at a time.
class Sums {
 public:
  Sums(std::int64_t columns, const torch::TensorOptions& options)
      : sum_(torch::zeros({columns}, options)), squares_(torch::zeros({columns}, options)) {}

  void add(const Tensor& rows) {
    const Tensor exact = rows.to(torch::kDouble);
    sum_ = sum_ + exact.sum(0);
    squares_ = squares_ + exact.square().sum(0);
    count_ += static_cast<double>(rows.size(0));
  }

  std::pair<Tensor, Tensor> mean_and_deviation() const {
    const Tensor mean = sum_ / std::max(1.0, count_);
    return {mean, (squares_ / std::max(1.0, count_) - mean.square()).clamp_min(0).sqrt()};
  }

 private:
  Tensor sum_, squares_;
  double count_ = 0;
};

// Members differ in their first weights alone; where they were taught the same they agree, and where
// nothing was taught they do not. A pick must be good in the eyes of all: one catastrophe costs more
// than many small gains.
class HoneModel final : public Model {
 public:
  HoneModel(const Options& options, const Features& features)
      : loss_(options),
        visits_{0, static_cast<std::size_t>(options.whole("list")),
                static_cast<std::size_t>(options.whole("per_task"))},
        caution_(options.number("caution")),
        tree_share_(options.number("tree_share")),
        spread_scale_(options.number("spread_scale")),
        unadapted_share_(options.whole("adapters") == 0 ? 0 : options.number("unadapted_share")),
        reach_(options.number("reach")),
        views_(hone_views(options)) {
    for (const std::string& name : views_)
      normalisers_.push_back(
          register_module(name + "_normaliser", Normaliser(features.info(name).columns)));
    tree_views_.assign(views_.begin() + static_cast<std::ptrdiff_t>(kRowViews.size()), views_.end());
    for (const std::string& name : tree_views_) tree_columns_ += features.info(name).columns;
    if (!features.platforms().empty() && features.platforms().front().is_target) target_ = 0;
    for (std::int64_t i = 0; i < options.whole("members"); ++i)
      members_.push_back(register_module("member" + std::to_string(i), Member(options, features)));
    if (options.word("members_see", {"all", "all_but_one"}) == "all_but_one") blind_members();
    if (members_.empty()) throw UserError("a model has members", "members: 3 to 5");
  }

  void learn_inputs(const Features& features, const std::vector<Program>& training) override;

  Prediction predict(const Batch& batch) override {
    const Inputs inputs = encode(batch);
    const Tensor all = forward(inputs, inputs.where);  // [members, n, 2]
    const Tensor log_latency = all.select(2, 0);
    score::Opinion<Tensor> opinion{log_latency.mean(0), log_latency.std(0, /*unbiased=*/false)};
    if (forest_) opinion = join(opinion, ask_trees(batch), share_of_trees(batch));
    const Tensor valid = torch::sigmoid(all.select(2, 1)).mean(0);
    return {torch::log(valid) - opinion.log_latency - caution_ * opinion.spread,
            spread_scale_ * opinion.spread, valid};
  }

  void take_forest(score::Forest forest) override {
    if (static_cast<std::int64_t>(forest.columns) != tree_columns_)
      throw UserError("the trees of the scorer were grown for other networks: they look at " +
                          std::to_string(forest.columns) + " columns of " +
                          std::to_string(tree_columns_),
                      "join them again with `hone train --networks`");
    forest_ = std::move(forest);
  }

  Tensor loss(const Batch& batch, const Labels& labels) override {
    const Inputs inputs = encode(batch);
    const Tensor own = loss_(forward(inputs, inputs.where), labels);
    if (unadapted_share_ == 0) return own;
    // What holds for all machines must stand without what is particular about one.
    const Tensor common = loss_(forward(inputs, {inputs.where.descriptor, {}}), labels);
    return (1 - unadapted_share_) * own + unadapted_share_ * common;
  }

  void settle(Options& options) const override {
    if (!has_adapters_) options.set("adapters", "0");
  }

  void leave_sources() override {
    for (Member& member : members_) target_ ? member->keep_platform(*target_) : member->drop_adapters();
    has_adapters_ = false;
  }

 private:
  struct Inputs {
    std::vector<Tensor> encoded;  // one a member
    Where where;
  };

  Inputs encode(const Batch& batch) {
    std::vector<Tensor> rows, wholes;
    Inputs inputs;
    inputs.where.platform = batch.platform;
    for (std::size_t i = 0; i < views_.size(); ++i) {
      const View& view = batch.view(views_[i]);
      Tensor known = normalisers_[i]->forward(view.rows);
      if (reach_ > 0) known = known.clamp(-reach_, reach_);
      if (i < kRowViews.size())
        rows.push_back(known);
      else if (views_[i] == "machine")
        inputs.where.descriptor = view.pad(known.clamp(-kFarMachine, kFarMachine), 1).squeeze(1);
      else
        wholes.push_back(view.pad(known, 1).squeeze(1));
    }
    const Tensor whole = torch::cat(wholes, 1);
    for (Member& member : members_) inputs.encoded.push_back(member->encode(batch, rows, whole));
    return inputs;
  }

  // Members that miss different things err on different programs. Where there are more members than
  // views, the others miss nothing.
  void blind_members() {
    std::vector<std::string> views = kRowViews;
    views.insert(views.end(), kWholeViews.begin(), kWholeViews.end());
    for (std::size_t i = 0; i < std::min(members_.size(), views.size()); ++i)
      members_[i]->never_see(views[i]);
  }

  Tensor forward(const Inputs& inputs, const Where& where) {
    std::vector<Tensor> out;
    for (std::size_t i = 0; i < members_.size(); ++i)
      out.push_back(members_[i]->forward(inputs.encoded[i], where));
    return torch::stack(out);
  }

  // Of the target and in all, as an epoch visits them.
  void count_lists(const Features& features, const std::vector<Program>& training);

  // [n]: the log of latency / best, too.
  Tensor ask_trees(const Batch& batch) const {
    std::vector<Tensor> wholes;
    for (const std::string& name : tree_views_)
      wholes.push_back(batch.view(name).pad(batch.view(name).rows, 1).squeeze(1));
    const Tensor rows = torch::cat(wholes, 1).to(torch::kCPU).contiguous();
    const auto n = static_cast<std::size_t>(rows.numel());
    return torch::tensor(forest_->values({rows.data_ptr<float>(), n})).to(wholes[0].device());
  }

  // [n]: trees have no say about programs that have no summary.
  Tensor share_of_trees(const Batch& batch) const {
    return tree_share_ * (batch.view("summary").counts() > 0).to(torch::kFloat);
  }

  HoneLoss loss_;
  Visits visits_;
  double caution_, tree_share_, spread_scale_, unadapted_share_;
  double reach_;  // of normalised inputs; 0: any
  std::vector<std::string> views_, tree_views_;
  std::vector<Normaliser> normalisers_;  // one a view
  std::vector<Member> members_;
  std::optional<std::int64_t> target_;  // which of the platforms
  bool has_adapters_ = true;
  std::int64_t tree_columns_ = 0;
  std::optional<score::Forest> forest_;  // over the tree views, one behind the other
};

void HoneModel::count_lists(const Features& features, const std::vector<Program>& training) {
  if (!target_ || visits_.list == 0) return;  // mixed lists are one of each machine
  struct Count {
    std::size_t programs = 0;
    bool is_of_target = false;
  };
  std::map<std::uint32_t, Count> tasks;
  for (const Program program : training) {
    const Features::Owner& owner = features.owner(program);
    Count& count = tasks[owner.task];
    ++count.programs;
    count.is_of_target = owner.platform == *target_;
  }
  double of_target = 0, all = 0;
  for (const auto& [task, count] : tasks) {
    const auto lists = static_cast<double>(lists_of_task(count.programs, visits_));
    all += lists;
    if (count.is_of_target) of_target += lists;
  }
  loss_.count_target(of_target, all);
}

void HoneModel::learn_inputs(const Features& features, const std::vector<Program>& training) {
  const auto options = torch::TensorOptions(torch::kDouble).device(features.device());
  std::vector<Sums> of_views;
  for (const std::string& name : views_) of_views.emplace_back(features.info(name).columns, options);
  for_each_part(features, training, [&](const Batch& batch) {
    for (std::size_t i = 0; i < views_.size(); ++i) of_views[i].add(batch.view(views_[i]).rows);
  });
  count_lists(features, training);
  for (std::size_t i = 0; i < views_.size(); ++i) {
    const auto [mean, deviation] = of_views[i].mean_and_deviation();
    // A column that hardly moves in training must not become loud when it does later.
    constexpr double kStill = 1e-3;
    // Of machines, which are few, such a column says nothing: nobody taught its weights.
    const Tensor still =
        views_[i] == "machine" ? torch::zeros_like(deviation) : torch::ones_like(deviation);
    const Tensor scale = torch::where(deviation > kStill, 1 / deviation, still);
    normalisers_[i]->set(mean.to(torch::kFloat), scale.to(torch::kFloat));
  }
}

}  // namespace

std::vector<std::string> hone_views(const Options& options) {
  std::vector<std::string> views = kRowViews;
  views.insert(views.end(), kWholeViews.begin(), kWholeViews.end());
  if (reads_machine(options)) views.emplace_back("machine");
  return views;
}

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
          {"members_see", "all", "all views, or all_but_one: another one is kept from each member"},
          {"reach", "0", "deviations beyond which an input counts as that far from the mean; 0: none"},
          {"width", "64", "of what a row is encoded to"},
          {"heads", "0", "of attention between primitives; 0: none"},
          {"fused_width", "128", "of the layers behind the views"},
          {"blocks", "1", "residual blocks behind the views"},
          {"machine", "none", "what it knows of machines: none, or their descriptor"},
          {"adapters", "0", "rank of what is learned of each machine in particular; 0: nothing is"},
          {"target_share", "0.3", "of the loss that labels of the target make up at least"},
          {"unadapted_share", "0.2", "of the loss, taken as of a machine that is not known"},
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
