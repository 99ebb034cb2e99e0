// Where the arithmetic of networks comes from: compiled elsewhere, because `score` knows no compiler.
#pragma once
#include <functional>
#include <memory>
#include <span>

#include "graph/graph.h"

namespace hone::score {

// A graph that somebody compiled, for any number of rows.
class DenseFunction {
 public:
  virtual ~DenseFunction() = default;
  // Inputs and outputs of the graph in their order, `n` rows each. A row of the outputs depends on
  // that row of the inputs alone: it is the same, bit for bit, in any company.
  virtual void run(std::size_t n, std::span<const std::span<const float>> inputs,
                   std::span<const std::span<float>> outputs) const = 0;
  // Calls work(i) for every i below `n`, some at the same time. What `run` does for one of them stays
  // on its thread: for those who have few rows at a time ready.
  virtual void side_by_side(std::size_t n, const std::function<void(std::size_t)>& work) const {
    for (std::size_t i = 0; i < n; ++i) work(i);
  }
  virtual std::size_t threads() const { return 1; }  // that can work at the same time
};

// Of a graph of floats. Dimension 0 of all inputs and outputs are the rows that are worked on at a
// time; the more there are, the better matrices it works on.
using CompileDense = std::function<std::unique_ptr<DenseFunction>(graph::Graph graph)>;

}  // namespace hone::score
