// Elements of any type as the widest numbers of their kind, and how to walk over them.
#pragma once
#include <functional>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "graph/graph.h"
#include "ir/element.h"

namespace hone::graph {

// Calls body(std::integral_constant<ir::Scalar, type>), so that loops over elements are compiled for
// their type.
template <class Body>
decltype(auto) for_type(ir::Scalar type, Body&& body) {
  using ir::Scalar;
  switch (type) {
    case Scalar::Bool:
      return body(std::integral_constant<Scalar, Scalar::Bool>());
    case Scalar::I8:
      return body(std::integral_constant<Scalar, Scalar::I8>());
    case Scalar::I16:
      return body(std::integral_constant<Scalar, Scalar::I16>());
    case Scalar::I32:
      return body(std::integral_constant<Scalar, Scalar::I32>());
    case Scalar::I64:
      return body(std::integral_constant<Scalar, Scalar::I64>());
    case Scalar::U8:
      return body(std::integral_constant<Scalar, Scalar::U8>());
    case Scalar::U16:
      return body(std::integral_constant<Scalar, Scalar::U16>());
    case Scalar::U32:
      return body(std::integral_constant<Scalar, Scalar::U32>());
    case Scalar::U64:
      return body(std::integral_constant<Scalar, Scalar::U64>());
    case Scalar::F16:
      return body(std::integral_constant<Scalar, Scalar::F16>());
    case Scalar::BF16:
      return body(std::integral_constant<Scalar, Scalar::BF16>());
    case Scalar::F32:
      return body(std::integral_constant<Scalar, Scalar::F32>());
    case Scalar::F64:
      return body(std::integral_constant<Scalar, Scalar::F64>());
  }
  fail("a type of the enum");
}

// Calls body(double{}), body(std::int64_t{}) or body(std::uint64_t{}): the type that numbers of `type`
// are computed in. Sums of float32 are exact to the last bit there, and integers wrap in the end.
template <class Body>
decltype(auto) for_wide_type(ir::Scalar type, Body&& body) {
  if (ir::is_float(type)) return body(double{});
  return ir::is_signed_int(type) ? body(std::int64_t{}) : body(std::uint64_t{});
}

// `to.size()` elements from element `first` on, `stride` apart (0 repeats one).
template <class Wide>
void read_elements(const Tensor& tensor, std::int64_t first, std::int64_t stride, std::span<Wide> to) {
  for_type(tensor.type(), [&](auto type) {
    constexpr std::int64_t kBytes = ir::size_bytes(type());
    const std::byte* from = tensor.bytes().data() + first * kBytes;
    for (Wide& element : to) {
      const ir::Number number = ir::read_number(type(), from);
      if constexpr (std::is_same_v<Wide, ir::Number>) {
        element = number;
      } else {
        element = ir::is_float(type()) ? static_cast<Wide>(number.f) : static_cast<Wide>(number.i);
      }
      from += stride * kBytes;
    }
  });
}

template <class Wide>
std::vector<Wide> widen(const Tensor& tensor) {
  std::vector<Wide> elements(static_cast<std::size_t>(tensor.size()));
  read_elements<Wide>(tensor, 0, 1, elements);
  return elements;
}

// Rounded or wrapped to the type.
template <class Wide>
Tensor narrow(const ValueType& type, std::span<const Wide> elements) {
  Tensor tensor = Tensor::zeros(type.type, type.shape);
  check(static_cast<std::int64_t>(elements.size()) == tensor.size(), "every element is known");
  std::byte* to = tensor.writable().data();
  for_type(type.type, [&](auto scalar) {
    for (const Wide element : elements) {
      ir::Number number{.i = 0};
      if constexpr (ir::is_float(scalar())) {
        number.f = ir::round_to(scalar(), static_cast<double>(element));
      } else {
        number.i = static_cast<std::int64_t>(element);
      }
      ir::write_number(scalar(), to, number);
      to += ir::size_bytes(scalar());
    }
  });
  return tensor;
}
template <class Wide>
Tensor narrow(const ValueType& type, const std::vector<Wide>& elements) {
  return narrow(type, std::span<const Wide>(elements));
}

// Integers wrap; signed ones would overflow otherwise.
template <class Wide>
Wide sum(Wide a, Wide b) {
  if constexpr (std::is_floating_point_v<Wide>) return a + b;
  return static_cast<Wide>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}
template <class Wide>
Wide product(Wide a, Wide b) {
  if constexpr (std::is_floating_point_v<Wide>) return a * b;
  return static_cast<Wide>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
}

using Strides = std::vector<std::int64_t>;
Strides dense_strides(const Shape& shape);  // row-major, in elements
// Strides of `shape` for an index into `out`, against which it broadcasts: 0 where it repeats.
Strides broadcast_strides(const Shape& shape, const Shape& out);

// A shape around one of its dimensions: element [i, j, k] is (i * extent + j) * inner + k.
struct AxisView {
  std::int64_t outer = 1, extent = 1, inner = 1;
};
AxisView around(const Shape& shape, int axis);

// Calls row(offsets) for every index of all dimensions but the last, with the offset that each of the
// strides gives it. A shape of rank 0 is one row; one without elements has none.
void for_each_row(const Shape& shape, const std::vector<Strides>& strides,
                  const std::function<void(std::span<const std::int64_t> offsets)>& row);

// The last dimension of rows as `for_each_row` makes them.
inline std::int64_t row_extent(const Shape& shape) { return shape.empty() ? 1 : shape.back(); }
inline std::int64_t row_stride(const Strides& strides) { return strides.empty() ? 0 : strides.back(); }

}  // namespace hone::graph
