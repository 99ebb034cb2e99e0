// Parts of a tensor as bytes of the whole: where the inputs of a concatenation lie.
#pragma once
#include <cstdint>
#include <vector>

#include "graph/operators.h"
#include "model/tensor.h"

namespace hone::artefact {

// Rows of `row_bytes` that begin `stride_bytes` apart, the first at `offset_bytes`. One row is one
// piece of memory.
struct Part {
  std::int64_t offset_bytes = 0, rows = 1, row_bytes = 0, stride_bytes = 0;
};

// Where each input of a concatenation lies in its output.
std::vector<Part> parts_of(const graph::Concat& concat, const std::vector<model::Shape>& inputs,
                           std::int64_t element_bytes);

}  // namespace hone::artefact
