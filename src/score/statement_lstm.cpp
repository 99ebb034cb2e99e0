#include "score/statement_lstm.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "score/layers.h"
#include "score/statement_network.h"

namespace hone::score {
namespace {

using graph::ValueId;
using Tensors = std::vector<NamedTensor>;

constexpr std::int64_t kProgramsAtOnce = 32;

graph::Graph graph_of_step(const Tensors& tensors, std::size_t width) {
  Layers layers(tensors);
  const model::Shape shape = {kProgramsAtOnce, static_cast<std::int64_t>(width)};
  const ValueId x = layers.input("x", shape);
  const ValueId hidden = layers.input("hidden", shape), cell = layers.input("cell", shape);
  const Layers::LstmState next = layers.lstm_step(x, {hidden, cell}, "lstm");
  return layers.finish({next.hidden, next.cell});
}

class StatementLstm final : public StatementNetwork {
 public:
  StatementLstm(const Tensors& tensors, const CompileDense& compile, bool tells_hidden)
      : StatementNetwork(tensors, compile, tells_hidden),
        of_step_(compile(graph_of_step(tensors, width()))) {}

 private:
  // All programs make a step together, until each has no statement left. A program without any makes
  // one step with the empty one, as in training.
  std::vector<float> pool(const Ragged& rows, std::vector<float> encoded) const override {
    std::vector<float> hidden(rows.n_programs() * width()), cell(hidden.size());
    std::vector<std::size_t> going(rows.n_programs());
    std::iota(going.begin(), going.end(), std::size_t{0});
    for (std::size_t step = 0; !going.empty(); ++step) {
      std::vector<float> x, hidden_before, cell_before;
      for (const std::size_t program : going) {
        const std::span<const std::size_t> own = rows.rows_of(program);
        append(x, encoded, step < own.size() ? own[step] : rows.n_distinct());
        append(hidden_before, hidden, program);
        append(cell_before, cell, program);
      }
      std::vector<float> next_hidden(x.size()), next_cell(x.size());
      of_step_->run(going.size(), std::array<std::span<const float>, 3>{x, hidden_before, cell_before},
                    std::array<std::span<float>, 2>{next_hidden, next_cell});
      for (std::size_t i = 0; i < going.size(); ++i) {
        std::copy_n(&next_hidden[i * width()], width(), &hidden[going[i] * width()]);
        std::copy_n(&next_cell[i * width()], width(), &cell[going[i] * width()]);
      }
      std::erase_if(going, [&](std::size_t i) { return rows.rows_of(i).size() <= step + 1; });
    }
    return hidden;
  }

  void append(std::vector<float>& to, const std::vector<float>& rows, std::size_t number) const {
    to.insert(to.end(), &rows[number * width()], &rows[number * width()] + width());
  }

  std::unique_ptr<DenseFunction> of_step_;
};

}  // namespace

std::unique_ptr<Network> make_statement_lstm(const ScorerFile& file, const CompileDense& compile,
                                             bool tells_hidden) {
  return std::make_unique<StatementLstm>(parse_tensors(file.weights), compile, tells_hidden);
}

}  // namespace hone::score
