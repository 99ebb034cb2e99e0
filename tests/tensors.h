// Tensors for tests: from literals, at random, and as numbers to compare.
#pragma once
#include <cmath>
#include <initializer_list>
#include <vector>

#include "base/random.h"
#include "ir/element.h"
#include "model/tensor.h"

namespace hone::test {

using model::Shape;
using model::Tensor;

// Numbers are given and compared as doubles, whatever the type; integers up to 2^53 are exact.
inline Tensor tensor(ir::Scalar type, Shape shape, const std::vector<double>& numbers) {
  Tensor result = Tensor::zeros(type, std::move(shape));
  std::byte* to = result.writable().data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(result.size()); ++i) {
    const double number = numbers.at(i);
    const ir::Number element = ir::is_float(type) ? ir::Number{.f = ir::round_to(type, number)}
                                                  : ir::Number{.i = static_cast<std::int64_t>(number)};
    ir::write_number(type, to + i * static_cast<std::size_t>(ir::size_bytes(type)), element);
  }
  return result;
}
inline Tensor f32(Shape shape, const std::vector<double>& numbers) {
  return tensor(ir::Scalar::F32, std::move(shape), numbers);
}
inline Tensor i64(Shape shape, const std::vector<double>& numbers) {
  return tensor(ir::Scalar::I64, std::move(shape), numbers);
}

inline std::vector<double> numbers(const Tensor& tensor) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < tensor.size(); ++i) {
    const std::byte* at = tensor.bytes().data() + i * ir::size_bytes(tensor.type());
    const ir::Number number = ir::read_number(tensor.type(), at);
    result.push_back(ir::is_float(tensor.type()) ? number.f : static_cast<double>(number.i));
  }
  return result;
}

// 0, 1, 2, ...
inline Tensor counting(ir::Scalar type, Shape shape) {
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < model::elements(shape); ++i) numbers.push_back(static_cast<double>(i));
  return tensor(type, std::move(shape), numbers);
}

// Floats from [-1, 1), integers from -4 to 4 (from 0 when the type has no sign), bools.
inline Tensor random_tensor(ir::Scalar type, Shape shape, std::uint64_t seed,
                            std::uint64_t stream = 0) {
  Random random(seed, stream);
  std::vector<double> numbers;
  for (std::int64_t i = 0; i < model::elements(shape); ++i) {
    double number = random.unit() * 2 - 1;
    if (ir::is_signed_int(type)) number = std::floor(number * 4.5 + 0.5);
    if (ir::is_unsigned_int(type)) number = std::floor((number + 1) * 2.5);
    if (type == ir::Scalar::Bool) number = number < 0 ? 0 : 1;
    numbers.push_back(number);
  }
  return tensor(type, std::move(shape), numbers);
}

}  // namespace hone::test
