// Which function reads which ONNX operator: one list a family, each in the file of its name.
#pragma once
#include <string_view>
#include <vector>

#include "graph/onnx/reading.h"

namespace hone::graph::onnx {

// Adds what the node computes to the graph and gives its outputs. It may give fewer than the node
// names: the rest is something that hone does not compute. Throws UserError.
using Reader = std::vector<ValueId> (*)(const Reading&);

struct NamedReader {
  std::string_view op;
  Reader read;
};
using Readers = std::vector<NamedReader>;

Readers activations();
Readers arithmetic();
Readers comparisons();
Readers constants();
Readers control();
Readers convolutions();
Readers einsums();
Readers gathers();
Readers matmuls();
Readers normalisations();
Readers pools();
Readers positions();
Readers recurrences();
Readers reductions();
Readers resizes();
Readers shapes();
Readers slices();
Readers softmaxes();
Readers microsoft();  // of ONNX Runtime's domain: what its optimiser leaves in exported files

Readers onnx_readers();  // all but the last

// Null when hone cannot read the operator.
Reader find_reader(std::string_view domain, std::string_view op);

}  // namespace hone::graph::onnx
