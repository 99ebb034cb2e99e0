// A tensor whose elements are known: a weight, a constant, an input read from a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ir/type.h"

namespace hone::model {

using Shape = std::vector<std::int64_t>;

std::int64_t elements(const Shape& shape);  // 1 for a scalar's empty shape

// For shapes that come from outside, before anything is computed with them: UserError when an extent is
// negative or the bytes cannot be counted, even if an extent of 0 makes them none.
void check_shape(const Shape& shape, ir::Scalar type);

// Elements lie densely, in row-major order, in the machine's byte order; a bool is a byte. Copies share
// the elements: weights are hundreds of megabytes, and whoever maps a file hands it on as their owner.
class Tensor {
 public:
  Tensor() = default;
  // `bytes` hold exactly the shape's elements and live as long as `owner`.
  Tensor(ir::Scalar type, Shape shape, std::span<const std::byte> bytes,
         std::shared_ptr<const void> owner);
  // Elements of its own, for the caller to fill through `writable` before anybody else has a copy.
  static Tensor zeros(ir::Scalar type, Shape shape);

  ir::Scalar type() const { return type_; }
  const Shape& shape() const { return shape_; }
  std::int64_t size() const { return elements(shape_); }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::span<std::byte> writable();  // only of a tensor made by `zeros` that nobody shares

  // The elements as T, which must have the width of the type.
  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(bytes_.data()), bytes_.size() / sizeof(T)};
  }

  // The same elements under another shape of as many.
  Tensor reshaped(Shape shape) const;

 private:
  ir::Scalar type_ = ir::Scalar::F32;
  Shape shape_;
  std::span<const std::byte> bytes_;
  std::shared_ptr<const void> owner_;
};

}  // namespace hone::model
