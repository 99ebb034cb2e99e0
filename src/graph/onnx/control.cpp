// Nodes that choose or hand on: If, Identity, Dropout.
#include <fmt/format.h>

#include "base/error.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

std::vector<ValueId> read_identity(const Reading& r) { return {r.input(0)}; }

// What is known to be true or false leaves one branch, whose nodes take the place of this one.
std::vector<ValueId> read_if(const Reading& r) {
  const Tensor condition = r.constant_input(0, "condition");
  if (condition.type() != ir::Scalar::Bool || condition.size() != 1)
    throw UserError("its condition is not one bool");
  const bool holds = condition.bytes().front() != std::byte{0};
  return r.read_nodes(r.attributes.nodes(holds ? "then_branch" : "else_branch"));
}

std::vector<ValueId> read_dropout(const Reading& r) {
  const ValueId x = r.input(0);
  if (r.has_input(2) && r.integer(2, "training mode") != 0 &&
      (!r.has_input(1) || r.numbers(1, "ratio") != std::vector<double>{0}))
    throw UserError("it is in training mode, which leaves out elements at random",
                    "export the model for inference");
  if (!r.has_output(1)) return {x};
  const ir::Scalar mask_type = r.opset < 10 ? r.emit.type(x) : ir::Scalar::Bool;
  return {x, r.emit.expand(r.emit.builder().scalar(1, mask_type), r.emit.shape(x))};
}

}  // namespace

Readers control() { return {{"Dropout", read_dropout}, {"Identity", read_identity}, {"If", read_if}}; }

}  // namespace hone::graph::onnx
