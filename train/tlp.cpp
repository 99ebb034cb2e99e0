#include "train/tlp.h"

#include "train/model.h"
#include "train/pretext.h"
#include "train/tlp_backbone.h"

namespace hone::train {
namespace {

class Tlp final : public ScoreModel {
 public:
  Tlp(const Options& options, const Features& features)
      : ScoreModel(options), backbone_(*this, options, features) {
    decoder_ = register_module("decoder", backbone_.make_decoder());
  }

  void settle(Options& options) const override { backbone_.settle(options); }
  bool needs_all_bits() const override { return backbone_.needs_all_bits(); }
  bool pretrain(const Pretraining& work) override { return train::pretrain(backbone_, *this, work); }

  torch::Tensor score(const Batch& batch) override {
    return backbone_.decode(decoder_, backbone_.forward(batch));
  }

 private:
  TlpBackbone backbone_;
  Chain decoder_{nullptr};
};

}  // namespace

Options tlp_options() { return tlp_backbone_options().and_also(pretext_options()); }

std::shared_ptr<Model> make_tlp(const Options& options, const Features& features) {
  return std::make_shared<Tlp>(options, features);
}

}  // namespace hone::train
