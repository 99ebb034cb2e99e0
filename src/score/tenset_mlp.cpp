#include "score/tenset_mlp.h"

#include "score/statement_network.h"

namespace hone::score {
namespace {

class TenSetMlp final : public StatementNetwork {
 public:
  TenSetMlp(const std::vector<NamedTensor>& tensors, const CompileDense& compile, bool tells_hidden)
      : StatementNetwork(tensors, compile, tells_hidden) {}

 private:
  std::vector<float> pool(const Ragged& rows, std::vector<float> encoded) const override {
    return rows.sums(encoded, width());
  }
};

}  // namespace

std::unique_ptr<Network> make_tenset_mlp(const ScorerFile& file, const CompileDense& compile,
                                         bool tells_hidden) {
  return std::make_unique<TenSetMlp>(parse_tensors(file.weights), compile, tells_hidden);
}

}  // namespace hone::score
