#include "score/statement_lstm.h"

#include "score/lstm.h"
#include "score/statement_network.h"

namespace hone::score {
namespace {

class StatementLstm final : public StatementNetwork {
 public:
  StatementLstm(const std::vector<NamedTensor>& tensors, const CompileDense& compile, bool tells_hidden)
      : StatementNetwork(tensors, compile, tells_hidden), lstm_(tensors, width(), compile) {}

 private:
  std::vector<float> pool(const Ragged& rows, std::vector<float> encoded) const override {
    return lstm_.last_states(rows, encoded);
  }

  Lstm lstm_;
};

}  // namespace

std::unique_ptr<Network> make_statement_lstm(const ScorerFile& file, const CompileDense& compile,
                                             bool tells_hidden) {
  return std::make_unique<StatementLstm>(parse_tensors(file.weights), compile, tells_hidden);
}

}  // namespace hone::score
