// RNN, GRU and LSTM: counted loops over the steps of a sequence. What the input adds to the gates does
// not depend on the steps before and is one product outside the loop.
#include "base/error.h"
#include "graph/onnx/loop_maker.h"
#include "graph/onnx/readers.h"
#include "graph/onnx/recurrence.h"

namespace hone::graph::onnx {
namespace {

ValueId sum(const Emitter& emit, ValueId a, ValueId b) {
  if (a == kLeftOut) return b;
  return emit.map({a, b}, [](const auto& x) { return x[0] + x[1]; });
}

ValueId product(const Emitter& emit, ValueId a, ValueId b) {
  return emit.map({a, b}, [](const auto& x) { return x[0] * x[1]; });
}

ValueId both_biases(const Emitter& emit, const Direction& d) { return sum(emit, d.w_bias, d.r_bias); }

ValueId gate(const Emitter& emit, ValueId gates, std::int64_t number, std::int64_t hidden) {
  return emit.slice(gates, static_cast<int>(emit.rank(gates)) - 1, number * hidden, hidden);
}

// Runs a cell in every direction; `step` builds one loop and gives its outputs.
template <class Step>
std::vector<ValueId> run(const Reading& r, std::int64_t gates, std::size_t states,
                         const std::vector<std::string>& activations, Step step) {
  const Layer layer = layer_of(r, gates, states, activations);
  std::vector<std::vector<ValueId>> ends;
  for (const Direction& direction : layer.directions) ends.push_back(step(direction));
  return outputs_of(r, layer, ends);
}

std::vector<ValueId> rnn_direction(const Emitter& emit, const Direction& d) {
  LoopMaker loop(emit, d.sequence, d.reverse);
  const Emitter& body = loop.body();
  const ValueId gates = input_gates(emit, d, both_biases(emit, d));
  const ValueId h = loop.carry(d.states[0]);
  const ValueId x = loop.scan(gates);
  const ValueId next = body.map({x, body.matmul(h, loop.keep(d.r))},
                                [&](const auto& v) { return d.activations[0](v[0] + v[1]); });
  return loop.finish({next, next});
}

// Gates are z (update), r (reset) and h (new). With `linear_before_reset` the reset gate scales what
// the state adds to the new one, otherwise the state itself.
std::vector<ValueId> gru_direction(const Emitter& emit, const Direction& d, bool linear_before_reset) {
  const std::int64_t h2 = 2 * d.hidden;
  LoopMaker loop(emit, d.sequence, d.reverse);
  const Emitter& body = loop.body();
  const bool splits_bias = linear_before_reset && d.r_bias != kLeftOut;
  ValueId bias = both_biases(emit, d);
  if (splits_bias)  // the part of the new state stays inside
    bias = emit.concat({emit.slice(bias, 0, 0, h2), emit.slice(d.w_bias, 0, h2, d.hidden)}, 0);
  const ValueId gates = input_gates(emit, d, bias);
  const ValueId h = loop.carry(d.states[0]);
  const ValueId x = loop.scan(gates);
  const auto activate = [&](ValueId a, ValueId b) {
    return body.map({a, b}, [&](const auto& v) { return d.activations[0](v[0] + v[1]); });
  };
  const ValueId weights = linear_before_reset ? d.r : emit.slice(d.r, 1, 0, h2);
  const ValueId from_state = body.matmul(h, loop.keep(weights));
  const ValueId update = activate(gate(body, x, 0, d.hidden), gate(body, from_state, 0, d.hidden));
  const ValueId reset = activate(gate(body, x, 1, d.hidden), gate(body, from_state, 1, d.hidden));
  ValueId linear = kLeftOut;  // what the state adds to the new one
  if (linear_before_reset) {
    linear = gate(body, from_state, 2, d.hidden);
    if (splits_bias) linear = sum(body, linear, loop.keep(emit.slice(d.r_bias, 0, h2, d.hidden)));
    linear = product(body, reset, linear);
  } else {
    linear = body.matmul(product(body, reset, h), loop.keep(emit.slice(d.r, 1, h2, d.hidden)));
  }
  const ValueId fresh = body.map({gate(body, x, 2, d.hidden), linear},
                                 [&](const auto& v) { return d.activations[1](v[0] + v[1]); });
  const ValueId next = body.map(
      {update, fresh, h}, [](const auto& v) { return (literal(1, v[0]) - v[0]) * v[1] + v[0] * v[2]; });
  return loop.finish({next, next});
}

// Gates are i (input), o (output), f (forget) and c (new cell); peepholes let i and f see the cell as
// it was and o as it is.
std::vector<ValueId> lstm_direction(const Emitter& emit, const Direction& d) {
  LoopMaker loop(emit, d.sequence, d.reverse);
  const Emitter& body = loop.body();
  const ValueId input = input_gates(emit, d, both_biases(emit, d));
  const ValueId h = loop.carry(d.states[0]), c = loop.carry(d.states[1]);
  const ValueId x = loop.scan(input);
  const ValueId gates = sum(body, x, body.matmul(h, loop.keep(d.r)));
  const ValueId peepholes = d.peepholes == kLeftOut ? kLeftOut : loop.keep(d.peepholes);
  const auto with_peephole = [&](std::int64_t number, ValueId cell) {
    const ValueId plain = gate(body, gates, number, d.hidden);
    if (peepholes == kLeftOut) return plain;
    const ValueId weights = gate(body, peepholes, number, d.hidden);
    return body.map({plain, weights, cell}, [](const auto& v) { return v[0] + v[1] * v[2]; });
  };
  const ValueId cell =
      body.map({with_peephole(0, c), with_peephole(2, c), gate(body, gates, 3, d.hidden), c},
               [&](const auto& v) {
                 return d.activations[0](v[1]) * v[3] + d.activations[0](v[0]) * d.activations[1](v[2]);
               });
  const ValueId next = body.map({with_peephole(1, cell), cell}, [&](const auto& v) {
    return d.activations[0](v[0]) * d.activations[2](v[1]);
  });
  return loop.finish({next, cell, next});
}

std::vector<ValueId> read_rnn(const Reading& r) {
  return run(r, 1, 1, {"Tanh"}, [&](const Direction& d) { return rnn_direction(r.emit, d); });
}

std::vector<ValueId> read_gru(const Reading& r) {
  const bool linear = r.attributes.flag("linear_before_reset", false);
  return run(r, 3, 1, {"Sigmoid", "Tanh"},
             [&](const Direction& d) { return gru_direction(r.emit, d, linear); });
}

std::vector<ValueId> read_lstm(const Reading& r) {
  if (r.attributes.flag("input_forget", false))
    throw UserError("its attribute `input_forget` is not supported");
  return run(r, 4, 2, {"Sigmoid", "Tanh", "Tanh"},
             [&](const Direction& d) { return lstm_direction(r.emit, d); });
}

}  // namespace

Readers recurrences() { return {{"GRU", read_gru}, {"LSTM", read_lstm}, {"RNN", read_rnn}}; }

}  // namespace hone::graph::onnx
