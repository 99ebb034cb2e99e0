// The layers of networks as graphs, by the names that training gave to their weights.
#pragma once
#include <string>
#include <vector>

#include "graph/builder.h"
#include "score/tensors.h"

namespace hone::score {

class Layers {
 public:
  // `tensors` must outlive it.
  explicit Layers(const std::vector<NamedTensor>& tensors) : tensors_(tensors) {}

  graph::ValueId input(const std::string& name, model::Shape shape);
  graph::Graph finish(std::vector<graph::ValueId> outputs) { return build_.finish(std::move(outputs)); }

  // W x + b along the last dimension, with the weights NAME.weight and NAME.bias.
  graph::ValueId linear(graph::ValueId x, const std::string& name);
  // The same of `count` of its outputs, from the one numbered `first` on.
  graph::ValueId linear(graph::ValueId x, const std::string& name, std::int64_t first,
                        std::int64_t count);
  // Linear layers NAME.0, NAME.1, ... with ReLU between them, and behind the last one if asked.
  // `read_by_last` becomes what the last of them reads.
  graph::ValueId chain(graph::ValueId x, const std::string& name, bool relu_behind_last,
                       graph::ValueId* read_by_last = nullptr);
  // x + ReLU(W x + b) with NAME.0, NAME.1, ...
  graph::ValueId residual_blocks(graph::ValueId x, const std::string& name);
  // Mean 0 and variance 1 along the last dimension, then times NAME.weight plus NAME.bias.
  graph::ValueId layer_norm(graph::ValueId x, const std::string& name);
  // One step of an LSTM with the weights NAME.weight_ih_l0, NAME.bias_ih_l0 and those of hh: what it
  // says and remembers behind x, after what it said and remembered before.
  struct LstmState {
    graph::ValueId hidden, cell;
  };
  LstmState lstm_step(graph::ValueId x, LstmState before, const std::string& name);
  // (x - NAME.shift) * NAME.scale
  graph::ValueId normalise(graph::ValueId x, const std::string& name);

  graph::ValueId relu(graph::ValueId x);
  graph::ValueId clamp(graph::ValueId x, double low, double high);
  graph::ValueId add(graph::ValueId a, graph::ValueId b);
  graph::ValueId multiply(graph::ValueId a, graph::ValueId b);
  graph::ValueId matmul(graph::ValueId a, graph::ValueId b);
  graph::ValueId reshape(graph::ValueId x, model::Shape shape);
  graph::ValueId transpose(graph::ValueId x, std::vector<int> order);
  graph::ValueId concat(std::vector<graph::ValueId> parts, int axis);
  graph::ValueId softmax(graph::ValueId x);        // along the last dimension
  graph::ValueId sum(graph::ValueId x, int axis);  // which stays as extent 1
  graph::ValueId scale(graph::ValueId x, double factor);
  const model::Shape& shape_of(graph::ValueId x) const { return build_.type(x).shape; }

 private:
  const NamedTensor& tensor(const std::string& name, const std::vector<std::int64_t>& shape) const {
    return find_tensor(tensors_, name, shape);
  }
  graph::ValueId vector(const std::string& name, std::int64_t size);  // the weight of that name
  // W x + b of some of the outputs.
  graph::ValueId affine(graph::ValueId x, const NamedTensor& weight, const NamedTensor& bias,
                        std::int64_t first, std::int64_t count);
  std::size_t count(const std::string& name) const;  // of NAME.0.weight, NAME.1.weight, ...

  const std::vector<NamedTensor>& tensors_;
  graph::Builder build_;
};

}  // namespace hone::score
