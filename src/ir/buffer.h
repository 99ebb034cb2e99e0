// A tensor in memory: name, element type, shape, strides and the memory it lives in.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ir/type.h"

namespace hone::ir {

// Where a buffer lives. Register buffers are indexed by constants only and become SSA values.
enum class Scope : std::uint8_t { Global, Shared, Warp, Local, Register };

struct BufferNode {
  std::string name;
  Type type = kF32;                   // a vector type only for Register buffers
  std::vector<std::int64_t> shape;    // empty for a single element
  std::vector<std::int64_t> strides;  // in elements, one a dimension; empty means row-major and dense
  Scope scope = Scope::Global;
};

// Buffers are compared by identity: two buffers may share a name.
using Buffer = std::shared_ptr<const BufferNode>;

Buffer make_buffer(std::string name, Type type, std::vector<std::int64_t> shape,
                   Scope scope = Scope::Global, std::vector<std::int64_t> strides = {});

// Strides in elements, made up when the buffer is dense.
std::vector<std::int64_t> strides_of(const BufferNode& buffer);
// Elements from the first to one past the last that the shape and strides can reach.
std::int64_t span_elements(const BufferNode& buffer);

}  // namespace hone::ir
