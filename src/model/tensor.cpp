#include "model/tensor.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "base/error.h"

namespace hone::model {

std::int64_t elements(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

void check_shape(const Shape& shape, ir::Scalar type) {
  std::int64_t bytes = ir::size_bytes(type);
  for (const std::int64_t extent : shape) {
    const bool too_many = __builtin_mul_overflow(bytes, std::max<std::int64_t>(extent, 1), &bytes);
    if (extent < 0 || too_many) {
      throw UserError(fmt::format("no tensor has the shape [{}]", fmt::join(shape, ", ")),
                      "extents are at least 0 and their product fits into memory");
    }
  }
}

Tensor::Tensor(ir::Scalar type, Shape shape, std::span<const std::byte> bytes,
               std::shared_ptr<const void> owner)
    : type_(type), shape_(std::move(shape)), bytes_(bytes), owner_(std::move(owner)) {
  check(static_cast<std::int64_t>(bytes_.size()) == size() * ir::size_bytes(type_),
        "a tensor's bytes do not fill its shape");
}

Tensor Tensor::zeros(ir::Scalar type, Shape shape) {
  const auto count = static_cast<std::size_t>(elements(shape) * ir::size_bytes(type));
  auto bytes = std::make_shared<std::vector<std::byte>>(count);
  return {type, std::move(shape), *bytes, bytes};
}

std::span<std::byte> Tensor::writable() {
  check(owner_ && owner_.use_count() == 1, "a tensor that is shared or mapped is not written to");
  return {const_cast<std::byte*>(bytes_.data()), bytes_.size()};
}

Tensor Tensor::reshaped(Shape shape) const { return {type_, std::move(shape), bytes_, owner_}; }

}  // namespace hone::model
