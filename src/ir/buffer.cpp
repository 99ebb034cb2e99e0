#include "ir/buffer.h"

#include "base/error.h"

namespace hone::ir {

Buffer make_buffer(std::string name, Type type, std::vector<std::int64_t> shape, Scope scope,
                   std::vector<std::int64_t> strides) {
  check(strides.empty() || strides.size() == shape.size(), "a buffer has one stride a dimension");
  return std::make_shared<const BufferNode>(
      BufferNode{std::move(name), type, std::move(shape), std::move(strides), scope});
}

std::vector<std::int64_t> strides_of(const BufferNode& buffer) {
  if (!buffer.strides.empty() || buffer.shape.empty()) return buffer.strides;
  std::vector<std::int64_t> strides(buffer.shape.size(), 1);
  for (std::size_t d = strides.size() - 1; d > 0; --d) strides[d - 1] = strides[d] * buffer.shape[d];
  return strides;
}

std::int64_t span_elements(const BufferNode& buffer) {
  std::int64_t last = 0;
  const std::vector<std::int64_t> strides = strides_of(buffer);
  for (std::size_t d = 0; d < strides.size(); ++d) {
    if (buffer.shape[d] == 0) return 0;
    last += (buffer.shape[d] - 1) * strides[d];
  }
  return last + 1;
}

}  // namespace hone::ir
