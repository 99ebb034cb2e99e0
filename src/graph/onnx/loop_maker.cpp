#include "graph/onnx/loop_maker.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hone::graph::onnx {

LoopMaker::LoopMaker(const Emitter& outside, std::int64_t trips, bool reverse)
    : outside_(outside), builder_(outside.node()), inside_(builder_, outside.node()) {
  loop_.trips = trips;
  loop_.reverse = reverse;
}

ValueId LoopMaker::take(ValueId outside, ValueType type, const char* role) {
  inputs_.push_back(outside);
  return builder_.input(fmt::format("{}{}", role, inputs_.size()), std::move(type));
}

ValueId LoopMaker::carry(ValueId initial) {
  check(static_cast<int>(inputs_.size()) == loop_.carried, "carried values come first");
  ++loop_.carried;
  return take(initial, outside_.builder().type(initial), "carried");
}

ValueId LoopMaker::scan(ValueId stacked) {
  check(static_cast<int>(inputs_.size()) == loop_.carried + loop_.scanned, "slices come second");
  ++loop_.scanned;
  ValueType type = outside_.builder().type(stacked);
  type.shape.erase(type.shape.begin());
  return take(stacked, std::move(type), "slice");
}

ValueId LoopMaker::keep(ValueId same) {
  if (const auto& tensor = outside_.constant_of(same)) return inside_.constant(*tensor);
  return take(same, outside_.builder().type(same), "kept");
}

std::vector<ValueId> LoopMaker::finish(std::vector<ValueId> outputs) {
  loop_.body = std::make_shared<const Graph>(builder_.finish(std::move(outputs)));
  return outside_.builder().add(outside_.node(), std::move(loop_), std::move(inputs_));
}

}  // namespace hone::graph::onnx
