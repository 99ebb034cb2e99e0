// An artefact open in this process: the C API for the rest of hone, with its errors as exceptions.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "model/tensor.h"
#include "runtime/hone.h"

namespace hone::artefact {

struct TensorInfo {
  std::string name;
  ir::Scalar type;
  model::Shape shape;
};

struct StepInfo {
  std::string label, kernel;
  double flop;
  std::int64_t bytes;
};

// UserError with the runtime's hint for whatever it refuses. Threads may share a session.
class Session {
 public:
  explicit Session(const std::string& path);

  const std::vector<TensorInfo>& inputs() const { return inputs_; }
  const std::vector<TensorInfo>& outputs() const { return outputs_; }
  std::vector<StepInfo> steps() const;
  hone_description about() const { return hone_describe(model_.get()); }

  // Of the inputs' types and shapes, in their order.
  std::vector<model::Tensor> run(std::span<const model::Tensor> inputs) const;
  // The same in memory that is there already; `step_ns`, unless null, gets the nanoseconds of every
  // step added.
  void run(std::span<const hone_in> inputs, std::span<const hone_out> outputs,
           std::int64_t* step_ns = nullptr) const;

 private:
  struct Close {
    void operator()(hone_model* model) const { hone_close(model); }
  };
  std::unique_ptr<hone_model, Close> model_;
  std::vector<TensorInfo> inputs_, outputs_;
};

void set_threads(int threads);  // of all sessions of this process; see hone_set_threads

// What an artefact says of itself, whatever machine it is for.
struct Contents {
  std::string manifest;  // JSON
  std::string records;   // lines
};
Contents read_contents(const std::string& path);

}  // namespace hone::artefact
