#include "tests/graph_generator/growing_graph.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/infer.h"
#include "tests/tensors.h"

namespace hone::test {

std::vector<int> GrowingGraph::shuffled(int count) {
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1],
              order[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(i)))]);
  return order;
}

bool GrowingGraph::is_exact(ValueId id) const {
  const auto known = std::ranges::find(values_, id, &Known::id);
  return known == values_.end() || known->is_exact;
}

void GrowingGraph::input(ir::Scalar type, Shape shape) {
  const std::string name = "x" + std::to_string(values_.size());
  values_.push_back({builder_.input(name, {type, std::move(shape)}), true});
}

ValueId GrowingGraph::constant(ir::Scalar type, const Shape& shape, std::int64_t terms) {
  const Tensor drawn = random_tensor(type, shape, seed_, ++streams_);
  if (!ir::is_float(type)) return builder_.constant(drawn);
  std::vector<double> scaled = numbers(drawn);
  for (double& number : scaled) number /= std::sqrt(static_cast<double>(terms));
  return builder_.constant(tensor(type, shape, scaled));
}

ValueId GrowingGraph::indices(const Shape& shape, std::int64_t below) {
  std::vector<double> drawn;
  for (std::int64_t i = 0; i < model::elements(shape); ++i)
    drawn.push_back(static_cast<double>(between(-below, below - 1)));
  return builder_.constant(i64(shape, drawn));
}

Shape GrowingGraph::broadcastable(const Shape& shape) {
  const auto dropped = between(0, static_cast<std::int64_t>(shape.size()));
  Shape result(shape.begin() + dropped, shape.end());
  for (std::int64_t& extent : result) {
    if (chance(3)) extent = 1;
  }
  return result;
}

std::optional<ValueId> GrowingGraph::pick(const std::function<bool(ValueId)>& fits) {
  std::vector<ValueId> all;
  for (const Known& known : values_) {
    if (fits(known.id)) all.push_back(known.id);
  }
  if (all.empty()) return std::nullopt;
  const std::vector<ValueId> recent(all.end() - std::min<std::ptrdiff_t>(3, std::ssize(all)),
                                    all.end());
  return one_of(chance(2) ? all : recent);
}

std::optional<ValueId> GrowingGraph::pick_any(int least_rank) {
  return pick([&](ValueId id) { return rank(id) >= least_rank; });
}

std::optional<ValueId> GrowingGraph::pick_float(int least_rank) {
  return pick([&](ValueId id) { return is_float(id) && rank(id) >= least_rank; });
}

std::vector<ValueId> GrowingGraph::add(Operator op, std::vector<ValueId> inputs, bool rounds) {
  constexpr std::int64_t kMostElements = 4096;
  std::vector<graph::ValueType> types;
  for (const ValueId id : inputs) types.push_back(builder_.type(id));
  for (const graph::ValueType& result : graph::infer(op, types)) {
    const std::int64_t elements = model::elements(result.shape);
    if (elements == 0 || elements > kMostElements) return {};
  }
  const bool exact = !rounds && std::ranges::all_of(inputs, [&](ValueId id) { return is_exact(id); });
  for (Known& known : values_) {
    if (std::ranges::find(inputs, known.id) != inputs.end()) known.is_used = true;
  }
  const std::string name(graph::name_of(op));
  const std::vector<ValueId> outputs = builder_.add(name, std::move(op), std::move(inputs));
  for (const ValueId id : outputs) values_.push_back({id, exact});
  ++nodes_;
  return outputs;
}

std::optional<ValueId> GrowingGraph::map(std::vector<ValueId> inputs, const graph::MapBody& body) {
  std::vector<ir::Scalar> types;
  for (const ValueId id : inputs) types.push_back(type(id));
  const graph::Map op = graph::make_map(types, body);
  const bool rounds = ir::is_float(op.body.type().scalar);
  const std::vector<ValueId> outputs = add(op, std::move(inputs), rounds);
  return outputs.empty() ? std::nullopt : std::optional(outputs.front());
}

graph::Graph GrowingGraph::finish() {
  std::vector<ValueId> outputs;
  for (const Known& known : values_) {
    if (!known.is_used && !builder_.constant_of(known.id)) outputs.push_back(known.id);
  }
  return builder_.finish(outputs);
}

}  // namespace hone::test
