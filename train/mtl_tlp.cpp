#include "train/mtl_tlp.h"

#include <span>

#include "base/error.h"
#include "train/model.h"
#include "train/pretext.h"
#include "train/tlp_backbone.h"

namespace hone::train {
namespace {

using torch::Tensor;

// Machines that nothing is learned from stand last and have no decoder; the target, which stands first,
// has one even then.
std::size_t n_decoders(const Options& options, const std::vector<Platform>& platforms) {
  if (const std::int64_t said = options.whole("platforms"); said > 0)
    return static_cast<std::size_t>(said);
  std::size_t count = platforms.size();
  while (count > 1 && platforms[count - 1].labels == 0) --count;
  return count;
}

// Without labels the target's decoder has learned nothing: what the others say of their machines is
// the best guess then.
std::string who_answers(const Options& options, const std::vector<Platform>& platforms) {
  const std::string& said = options.word("answer", {"auto", "first", "others", "all"});
  if (said != "auto") return said;
  if (platforms.empty() || !platforms.front().is_target) return "all";
  return platforms.front().labels > 0 ? "first" : "others";
}

class MtlTlp final : public Model {
 public:
  MtlTlp(const Options& options, const Features& features)
      : backbone_(*this, options, features),
        loss_(loss_named(options.text("loss"))),
        counts_labels_(options.word("weighting", {"sum", "labels"}) == "labels"),
        answer_(who_answers(options, features.platforms())) {
    for (std::size_t i = 0; i < n_decoders(options, features.platforms()); ++i)
      decoders_.push_back(register_module("decoder" + std::to_string(i), backbone_.make_decoder()));
    if (answer_ == "others" && decoders_.size() < 2)
      throw UserError("nobody answers for a target without labels",
                      "give a set of another machine besides");
  }

  void settle(Options& options) const override {
    backbone_.settle(options);
    options.set("platforms", std::to_string(decoders_.size()));
    options.set("answer", answer_);
  }
  bool joins_programs() const override { return true; }
  bool needs_all_bits() const override { return backbone_.needs_all_bits(); }
  bool pretrain(const Pretraining& work) override { return train::pretrain(backbone_, *this, work); }

  Prediction predict(const Batch& batch) override {
    const Tensor mixed = backbone_.forward(batch);
    Tensor sum = torch::zeros({batch.n}, mixed.options());
    for (Chain& decoder : answering()) sum = sum + backbone_.decode(decoder, mixed);
    return {sum / static_cast<double>(answering().size()), {}, {}};
  }

  // Of each machine the loss of its decoder over its own lists; who has no label here adds nothing.
  Tensor loss(const Batch& batch, const Labels& labels) override {
    const Tensor mixed = backbone_.forward(batch);
    Tensor sum = torch::zeros({}, mixed.options());
    for (std::size_t i = 0; i < decoders_.size(); ++i) {
      const Tensor lists = lists_of(labels, i);
      if (lists.numel() == 0) continue;
      const Tensor scores = labels.spread(backbone_.decode(decoders_[i], mixed)).index_select(0, lists);
      const Tensor present = labels.present.index_select(0, lists);
      const Tensor own = loss_(scores, labels.speed.index_select(0, lists), present);
      sum = sum + (counts_labels_ ? own * share_of(present, labels) : own);
    }
    return sum;
  }

 private:
  // 1 when all machines have as many labels.
  Tensor share_of(const Tensor& present, const Labels& labels) const {
    return present.sum() * static_cast<double>(decoders_.size()) / labels.present.sum();
  }

  std::span<Chain> answering() {
    const std::span<Chain> all = decoders_;
    if (answer_ == "first") return all.first(1);
    return answer_ == "others" ? all.subspan(1) : all;
  }

  Tensor lists_of(const Labels& labels, std::size_t decoder) const {
    std::vector<std::int64_t> lists;
    for (std::size_t i = 0; i < labels.platform.size(); ++i) {
      const auto platform = static_cast<std::size_t>(labels.platform[i]);
      if (platform >= decoders_.size())
        throw UserError("the sets are of more machines than the model has decoders: " +
                            std::to_string(decoders_.size()),
                        "leave the option platforms at 0");
      if (platform == decoder) lists.push_back(static_cast<std::int64_t>(i));
    }
    return numbers_on(labels.present.device(), lists);
  }

  TlpBackbone backbone_;
  ListLoss loss_;
  bool counts_labels_;
  std::string answer_;
  std::vector<Chain> decoders_;  // one a machine, the target's first
};

}  // namespace

Options mtl_tlp_options() {
  return tlp_backbone_options()
      .and_also(pretext_options())
      .and_also({
          {"weighting", "sum",
           "of the machines in the loss: sum (all alike), or labels (all labels alike)"},
          {"platforms", "0", "machines that have a decoder; 0: all that are learned from"},
          {"answer", "auto",
           "whose decoder answers: first (the target's), others, all (their mean); auto: the target's "
           "if it "
           "has labels"},
      });
}

std::shared_ptr<Model> make_mtl_tlp(const Options& options, const Features& features) {
  return std::make_shared<MtlTlp>(options, features);
}

}  // namespace hone::train
