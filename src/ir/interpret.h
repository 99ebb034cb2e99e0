// Runs a loop program element by element: slow, obvious, the reference for every kernel.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "ir/program.h"

namespace hone::ir {

struct Tensor {  // memory for one parameter
  Buffer buffer;
  std::vector<std::byte> data;  // span_elements * size of an element
};
Tensor make_tensor(const Buffer& buffer);
double get(const Tensor& tensor, std::int64_t element);        // element offset, not index
void set(Tensor& tensor, std::int64_t element, double value);  // rounds to the element type

// Runs the program on its parameters, in their order. Reads and writes out of bounds, reads of
// uninitialised local memory and races between threads at a barrier-free distance throw InternalError.
void interpret(const Program& program, std::span<Tensor> params);

}  // namespace hone::ir
