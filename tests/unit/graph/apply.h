// One operator on tensors, for tests.
#pragma once
#include <vector>

#include "graph/evaluate.h"

namespace hone::graph {

using Numbers = std::vector<double>;

inline Tensor apply(const Operator& op, const std::vector<Tensor>& inputs) {
  return evaluate(op, inputs).front();
}

}  // namespace hone::graph
