// What is known when the model is read: constants, shapes, ranges, masks.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "graph/infer.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"
#include "ir/element.h"

namespace hone::graph::onnx {
namespace {

using ir::Scalar;

// A tensor whose elements are given by `element(i)`, converted to the type.
template <class Element>
Tensor filled(Scalar type, Shape shape, Element element) {
  require_sane({type, shape});
  require_constant_size(model::elements(shape));
  Tensor tensor = Tensor::zeros(type, std::move(shape));
  std::byte* at = tensor.writable().data();
  const std::int64_t count = tensor.size();
  for (std::int64_t i = 0; i < count; ++i, at += ir::size_bytes(type)) {
    ir::write_number(type, at, element(i));
  }
  return tensor;
}

template <class Element>
Tensor list_of(Scalar type, const std::vector<Element>& elements) {
  return filled(type, {static_cast<std::int64_t>(elements.size())}, [&](std::int64_t i) {
    const Element element = elements[static_cast<std::size_t>(i)];
    if constexpr (std::is_floating_point_v<Element>)
      return ir::Number{.f = element};
    else
      return ir::Number{.i = element};
  });
}

Tensor constant_of(const Attributes& a) {
  if (const auto value = a.tensor("value")) return *value;
  if (const auto list = a.numbers("value_floats")) return list_of(Scalar::F32, *list);
  if (const auto list = a.integers("value_ints")) return list_of(Scalar::I64, *list);
  if (a.has("value_float"))
    return list_of(Scalar::F32, std::vector{a.number("value_float", 0)}).reshaped({});
  if (a.has("value_int"))
    return list_of(Scalar::I64, std::vector{a.integer("value_int", 0)}).reshaped({});
  throw UserError("it has no value of a kind that hone computes with",
                  "constants of strings and sparse ones are not read");
}

std::vector<ValueId> read_constant(const Reading& r) {
  return {r.emit.constant(constant_of(r.attributes))};
}

std::vector<ValueId> read_constant_of_shape(const Reading& r) {
  const Shape shape = r.integers(0, "shape");
  const Tensor value = r.attributes.tensor("value").value_or(Tensor::zeros(Scalar::F32, {1}));
  if (value.size() != 1) throw UserError("its attribute `value` does not have one element");
  return {r.emit.expand(r.emit.constant(value.reshaped({})), shape)};
}

std::vector<ValueId> read_shape(const Reading& r) {
  const Shape shape = r.emit.shape(r.input(0));
  const auto rank = static_cast<std::int64_t>(shape.size());
  const auto place = [&](std::int64_t axis) {
    return std::clamp<std::int64_t>(axis < 0 ? axis + rank : axis, 0, rank);
  };
  const std::int64_t start = place(r.attributes.integer("start", 0));
  const std::int64_t end = std::max(place(r.attributes.integer("end", rank)), start);
  return {r.emit.constant(std::vector(shape.begin() + start, shape.begin() + end))};
}

std::vector<ValueId> read_size(const Reading& r) {
  return {r.emit.reshape(r.emit.constant(std::vector{model::elements(r.emit.shape(r.input(0)))}), {})};
}

std::vector<ValueId> read_range(const Reading& r) {
  const Tensor start = r.constant_input(0, "start");
  const Scalar type = start.type();
  std::vector<double> bounds;  // start, limit, delta
  for (const std::size_t i : {0, 1, 2}) {
    const std::vector<double> elements = r.numbers(i, i == 0 ? "start" : i == 1 ? "limit" : "delta");
    if (elements.size() != 1) throw UserError("its inputs do not have one element each");
    bounds.push_back(elements.front());
  }
  const double count = std::max(std::ceil((bounds[1] - bounds[0]) / bounds[2]), 0.0);
  if (!(count <= static_cast<double>(kMaxElements))) throw UserError("its range does not end");
  return {r.emit.constant(filled(type, {static_cast<std::int64_t>(count)}, [&](std::int64_t i) {
    const double element = bounds[0] + static_cast<double>(i) * bounds[2];
    if (ir::is_float(type)) return ir::Number{.f = ir::round_to(type, element)};
    return ir::Number{.i = static_cast<std::int64_t>(element)};
  }))};
}

Shape matrix_shape(const Reading& r) {
  const Shape shape = r.emit.shape(r.input(0));
  if (shape.size() != 2) throw UserError("its input is no matrix");
  return shape;
}

std::vector<ValueId> read_eye_like(const Reading& r) {
  const Shape shape = matrix_shape(r);
  const Scalar type =
      r.attributes.has("dtype") ? r.attributes.element_type("dtype") : r.emit.type(r.input(0));
  const std::int64_t k = r.attributes.integer("k", 0);
  return {r.emit.constant(filled(type, shape, [&](std::int64_t i) {
    const bool on_diagonal = i % shape[1] - i / shape[1] == k;
    if (ir::is_float(type)) return ir::Number{.f = on_diagonal ? 1.0 : 0.0};
    return ir::Number{.i = on_diagonal ? 1 : 0};
  }))};
}

// The part of the matrices that stays is a mask, which is known.
std::vector<ValueId> read_trilu(const Reading& r) {
  const ValueId x = r.input(0);
  const Shape shape = r.emit.shape(x);
  if (shape.size() < 2) throw UserError("its input has no matrices");
  const std::int64_t k = r.has_input(1) ? r.integer(1, "diagonal") : 0;
  const bool upper = r.attributes.flag("upper", true);
  const Shape matrix(shape.end() - 2, shape.end());
  const ValueId mask = r.emit.constant(filled(Scalar::Bool, matrix, [&](std::int64_t i) {
    const std::int64_t diagonal = i % matrix[1] - i / matrix[1];
    return ir::Number{.i = upper ? diagonal >= k : diagonal <= k};
  }));
  return {r.emit.map_mixed({mask, x},
                           [](const auto& v) { return ir::select(v[0], v[1], literal(0, v[1])); })};
}

std::vector<ValueId> read_non_zero(const Reading& r) {
  const Tensor x = r.constant_input(0, "input");
  const std::vector<double> elements = numbers_of(x);
  std::vector<std::vector<std::int64_t>> rows(x.shape().size());  // one a dimension
  for (std::size_t i = 0; i < elements.size(); ++i) {
    if (elements[i] == 0) continue;
    auto rest = static_cast<std::int64_t>(i);
    for (std::size_t d = rows.size(); d-- > 0; rest /= x.shape()[d])
      rows[d].push_back(rest % x.shape()[d]);
  }
  const std::int64_t count = rows.empty() ? 0 : static_cast<std::int64_t>(rows.front().size());
  std::vector<std::int64_t> all;
  for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
  return {r.emit.reshape(r.emit.constant(all), {static_cast<std::int64_t>(rows.size()), count})};
}

}  // namespace

Readers constants() {
  return {
      {"Constant", read_constant}, {"ConstantOfShape", read_constant_of_shape},
      {"EyeLike", read_eye_like},  {"NonZero", read_non_zero},
      {"Range", read_range},       {"Shape", read_shape},
      {"Size", read_size},         {"Trilu", read_trilu},
  };
}

}  // namespace hone::graph::onnx
