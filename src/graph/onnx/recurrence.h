// What RNN, GRU and LSTM nodes have in common: their inputs, direction by direction.
#pragma once
#include <functional>
#include <vector>

#include "graph/onnx/activation.h"
#include "graph/onnx/reading.h"

namespace hone::graph::onnx {

using Activation = std::function<Expr(const Expr& x)>;

// One direction of a recurrence, ready for its loop. Gates lie side by side in the order of ONNX.
struct Direction {
  bool reverse = false;
  ValueId x = kLeftOut;                          // [sequence, batch, input]
  ValueId w = kLeftOut;                          // [input, gates * hidden]
  ValueId r = kLeftOut;                          // [hidden, gates * hidden]
  ValueId w_bias = kLeftOut, r_bias = kLeftOut;  // [gates * hidden]; both or neither
  ValueId peepholes = kLeftOut;                  // [3 * hidden]
  std::vector<ValueId> states;                   // initial ones, each [batch, hidden]
  std::vector<Activation> activations;
  std::int64_t sequence = 0, batch = 0, hidden = 0;
};

struct Layer {
  std::vector<Direction> directions;
  bool batch_first = false;
};

// `usual` names the activations that a direction has unless the node says otherwise; `states` counts
// what the cell carries. Throws UserError.
Layer layer_of(const Reading& r, std::int64_t gates, std::size_t states,
               const std::vector<std::string>& usual);

// The input's part of all gates of all steps as one product: [sequence, batch, gates * hidden].
ValueId input_gates(const Emitter& emit, const Direction& direction, ValueId bias);

// The node's outputs: all steps of the first state, then the last of each state. `ends` has for each
// direction the last states and then the stacked steps of the first.
std::vector<ValueId> outputs_of(const Reading& r, const Layer& layer,
                                const std::vector<std::vector<ValueId>>& ends);

}  // namespace hone::graph::onnx
