// Elements by position: gathers.
#include "base/error.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

std::vector<ValueId> read_gather(const Reading& r) {
  const int axis = axis_in(r.attributes.integer("axis", 0), r.emit.rank(r.input(0)));
  return {r.emit.add(Gather{axis}, {r.input(0), r.input(1)})};
}

std::vector<ValueId> read_gather_elements(const Reading& r) {
  const int axis = axis_in(r.attributes.integer("axis", 0), r.emit.rank(r.input(0)));
  return {r.emit.add(GatherElements{axis}, {r.input(0), r.input(1)})};
}

std::vector<ValueId> read_gather_nd(const Reading& r) {
  const std::int64_t batch_dims = r.attributes.integer("batch_dims", 0);
  if (batch_dims < 0 || batch_dims >= static_cast<std::int64_t>(r.emit.rank(r.input(0))))
    throw UserError("its attribute `batch_dims` does not fit its input");
  return {r.emit.add(GatherND{static_cast<int>(batch_dims)}, {r.input(0), r.input(1)})};
}

// Which elements stay must be known, for the result's shape depends on it.
std::vector<ValueId> read_compress(const Reading& r) {
  ValueId x = r.input(0);
  const std::vector<std::int64_t> condition = r.integers(1, "condition");
  int axis = 0;
  if (r.attributes.has("axis"))
    axis = axis_in(r.attributes.integer("axis", 0), r.emit.rank(x));
  else
    x = r.emit.reshape(x, {model::elements(r.emit.shape(x))});
  std::vector<std::int64_t> kept;
  for (std::size_t i = 0; i < condition.size(); ++i) {
    if (condition[i] != 0) kept.push_back(static_cast<std::int64_t>(i));
  }
  return {r.emit.add(Gather{axis}, {x, r.emit.constant(kept)})};
}

}  // namespace

Readers gathers() {
  return {{"Compress", read_compress},
          {"Gather", read_gather},
          {"GatherElements", read_gather_elements},
          {"GatherND", read_gather_nd}};
}

}  // namespace hone::graph::onnx
