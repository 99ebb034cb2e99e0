// Tensors to run an artefact on when nobody gives any.
#pragma once
#include <vector>

#include "artefact/session.h"

namespace hone::artefact {

// The same ones every time, for the input with this number. Integers are 0 or 1: they may be indices of
// a small table.
model::Tensor random_input(const TensorInfo& info, std::size_t number);

// Those of all inputs of a session, and memory for its outputs, to run it again and again.
class RandomTensors {
 public:
  explicit RandomTensors(const Session& session);

  const std::vector<model::Tensor>& inputs() const { return inputs_; }
  void run(const Session& session, std::int64_t* step_ns = nullptr) const {
    session.run(in_, out_, step_ns);
  }

 private:
  std::vector<model::Tensor> inputs_, outputs_;
  std::vector<hone_in> in_;
  std::vector<hone_out> out_;
};

}  // namespace hone::artefact
