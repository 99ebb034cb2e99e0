#include "graph/evaluate.h"

#include "base/error.h"

namespace hone::graph {

std::vector<Tensor> evaluate(const Operator&, std::span<const Tensor>) {
  fail("operators are not evaluated yet");
}

std::vector<Tensor> evaluate(const Graph&, std::span<const Tensor>) {
  fail("graphs are not evaluated yet");
}

}  // namespace hone::graph
