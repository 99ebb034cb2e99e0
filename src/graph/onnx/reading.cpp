#include "graph/onnx/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "ir/element.h"

namespace hone::graph::onnx {

ValueId Reading::input(std::size_t i) const {
  if (!has_input(i)) throw UserError(fmt::format("its input {} is left out", i + 1));
  return inputs[i];
}

ValueId Reading::float_input(std::size_t i) const {
  const ValueId id = input(i);
  if (!ir::is_float(emit.type(id))) {
    throw UserError(
        fmt::format("its input {} is of type {}, not a float", i + 1, ir::to_string({emit.type(id)})));
  }
  return id;
}

std::vector<ValueId> Reading::all_inputs() const {
  for (std::size_t i = 0; i < std::max<std::size_t>(inputs.size(), 1); ++i) input(i);
  return inputs;
}

Tensor Reading::constant_input(std::size_t i, std::string_view what) const {
  const ValueId id = input(i);
  if (const auto& tensor = emit.constant_of(id)) return *tensor;
  const std::string& name = emit.builder().value(id).name;
  throw UserError(
      fmt::format("its {}, `{}`, must be known when the model is read", what, name),
      fmt::format("when it is always the same, make it a constant: `--bind {}=FILE`", name));
}

std::vector<std::int64_t> Reading::integers(std::size_t i, std::string_view what) const {
  const Tensor tensor = constant_input(i, what);
  if (ir::is_float(tensor.type())) throw UserError(fmt::format("its {} are no whole numbers", what));
  return onnx::integers_of(tensor);
}

std::int64_t Reading::integer(std::size_t i, std::string_view what) const {
  const std::vector<std::int64_t> elements = integers(i, what);
  if (elements.size() != 1)
    throw UserError(fmt::format("its {} has {} elements, not one", what, elements.size()));
  return elements.front();
}

std::vector<double> Reading::numbers(std::size_t i, std::string_view what) const {
  return numbers_of(constant_input(i, what));
}

std::optional<std::vector<std::int64_t>> Reading::integers_of(std::string_view attribute,
                                                              std::size_t i) const {
  if (attributes.has(attribute)) return attributes.integers(attribute);
  if (has_input(i)) return integers(i, attribute);
  return std::nullopt;
}

std::vector<std::int64_t> integers_of(const Tensor& tensor) {
  const auto size = static_cast<std::size_t>(ir::size_bytes(tensor.type()));
  std::vector<std::int64_t> elements;
  for (std::size_t at = 0; at < tensor.bytes().size(); at += size)
    elements.push_back(ir::read_number(tensor.type(), tensor.bytes().data() + at).i);
  return elements;
}

std::vector<double> numbers_of(const Tensor& tensor) {
  if (!ir::is_float(tensor.type())) {
    const std::vector<std::int64_t> whole = integers_of(tensor);
    return {whole.begin(), whole.end()};
  }
  const auto size = static_cast<std::size_t>(ir::size_bytes(tensor.type()));
  std::vector<double> elements;
  for (std::size_t at = 0; at < tensor.bytes().size(); at += size)
    elements.push_back(ir::read_number(tensor.type(), tensor.bytes().data() + at).f);
  return elements;
}

}  // namespace hone::graph::onnx
