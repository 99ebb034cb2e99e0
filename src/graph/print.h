// Graphs as text for people.
#pragma once
#include <string>

#include "graph/graph.h"

namespace hone::graph {

std::string print(const Shape& shape);     // "[1,64,56,56]"
std::string print(const ValueType& type);  // "f32[1,64,56,56]"
// An operator and its attributes: "conv window 3x3 stride 1 pad 1", "map x*0.5f".
std::string print(const Operator& op);

// Inputs, constants, then one node a line, each with the model's name behind it:
//   %12 f32[1,64,56,56] = conv %3, %4 window 3x3 pad 1  # layer1.0.conv1
// What a window has the same in all dimensions stands once, and what is usual (stride 1, dilation 1, no
// padding) is left out. The body of a loop is indented below it.
std::string print(const Graph& graph);

}  // namespace hone::graph
