// Makes a counted loop: its body is built like any graph, beside the one the loop stands in.
#pragma once
#include <string>
#include <vector>

#include "graph/onnx/emitter.h"

namespace hone::graph::onnx {

class LoopMaker {
 public:
  LoopMaker(const Emitter& outside, std::int64_t trips, bool reverse);
  LoopMaker(const LoopMaker&) = delete;  // the emitter points at the builder beside it
  LoopMaker& operator=(const LoopMaker&) = delete;

  const Emitter& body() const { return inside_; }

  // A value outside as one inside, in this order: all that are carried from trip to trip, then all of
  // which a trip sees one slice, then all that stay the same. Constants are copied into the body, where
  // they can be packed for the kernel that reads them.
  ValueId carry(ValueId initial);
  ValueId scan(ValueId stacked);
  ValueId keep(ValueId same);

  // The loop's outputs for those of its body: the carried values, then those that are stacked.
  std::vector<ValueId> finish(std::vector<ValueId> outputs);

 private:
  ValueId take(ValueId outside, ValueType type, const char* role);

  Emitter outside_;
  Builder builder_;
  Emitter inside_;
  Loop loop_;
  std::vector<ValueId> inputs_;
};

}  // namespace hone::graph::onnx
