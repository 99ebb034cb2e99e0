#include "score/lstm.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

#include "score/layers.h"

namespace hone::score {
namespace {

using graph::ValueId;

constexpr std::int64_t kProgramsAtOnce = 32;

graph::Graph graph_of_step(const std::vector<NamedTensor>& tensors, std::size_t width) {
  Layers layers(tensors);
  const model::Shape shape = {kProgramsAtOnce, static_cast<std::int64_t>(width)};
  const ValueId x = layers.input("x", shape);
  const ValueId hidden = layers.input("hidden", shape), cell = layers.input("cell", shape);
  const Layers::LstmState next = layers.lstm_step(x, {hidden, cell}, "lstm");
  return layers.finish({next.hidden, next.cell});
}

}  // namespace

Lstm::Lstm(const std::vector<NamedTensor>& tensors, std::size_t width, const CompileDense& compile)
    : width_(width), of_step_(compile(graph_of_step(tensors, width))) {}

Lstm::States Lstm::step(std::span<const float> x, const States& before) const {
  States next{std::vector<float>(x.size()), std::vector<float>(x.size())};
  of_step_->run(x.size() / width_, std::array<std::span<const float>, 3>{x, before.hidden, before.cell},
                std::array<std::span<float>, 2>{next.hidden, next.cell});
  return next;
}

// All programs make a step together, until each has no row left. Those that began alike are in one
// state and make it once: siblings of a search differ in few of their rows.
std::vector<float> Lstm::last_states(const Ragged& rows, std::span<const float> encoded) const {
  const auto append = [&](std::vector<float>& to, std::span<const float> from, std::size_t number) {
    to.insert(to.end(), &from[number * width_], &from[number * width_] + width_);
  };
  States now{std::vector<float>(width_), std::vector<float>(width_)};
  std::vector<std::size_t> state_of(rows.n_programs()), going(rows.n_programs());
  std::iota(going.begin(), going.end(), std::size_t{0});
  std::vector<float> last(rows.n_programs() * width_);
  for (std::size_t i = 0; !going.empty(); ++i) {
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> next_of;  // by state and row
    std::vector<float> x;
    States before;
    for (const std::size_t program : going) {
      const std::span<const std::size_t> own = rows.rows_of(program);
      const std::size_t row = i < own.size() ? own[i] : rows.n_distinct();
      const auto [next, is_new] = next_of.try_emplace({state_of[program], row}, next_of.size());
      if (is_new) {
        append(x, encoded, row);
        append(before.hidden, now.hidden, state_of[program]);
        append(before.cell, now.cell, state_of[program]);
      }
      state_of[program] = next->second;
    }
    now = step(x, before);
    std::erase_if(going, [&](std::size_t program) {
      const bool is_done = rows.rows_of(program).size() <= i + 1;
      if (is_done)
        std::copy_n(&now.hidden[state_of[program] * width_], width_, &last[program * width_]);
      return is_done;
    });
  }
  return last;
}

}  // namespace hone::score
