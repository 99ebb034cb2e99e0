#include "graph/onnx/input_types.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"

namespace hone::graph::onnx {
namespace {

using Symbols = std::map<std::string, std::int64_t>;

std::string text_of(const model::Port& port) {
  if (!port.shape) return "[?]";
  std::string text;
  for (const model::Dimension& dimension : *port.shape) {
    text += text.empty() ? "" : ", ";
    text += dimension.extent           ? fmt::format("{}", *dimension.extent)
            : dimension.symbol.empty() ? "?"
                                       : dimension.symbol;
  }
  return "[" + text + "]";
}

const model::Port& port_named(const model::Model& model, const std::string& name, const char* option) {
  std::vector<std::string> names;
  for (const model::Port& port : model.inputs) {
    if (port.name == name) return port;
    names.push_back(port.name);
  }
  throw UserError(fmt::format("{} names `{}`, which is no input of the model", option, name),
                  did_you_mean(name, names));
}

// Whether the shape is one that the model allows; its symbols are known from then on.
void settle(const model::Port& port, const Shape& shape, Symbols& symbols) {
  if (!port.shape) return;
  bool fits = port.shape->size() == shape.size();
  for (std::size_t i = 0; fits && i < shape.size(); ++i) {
    const model::Dimension& dimension = (*port.shape)[i];
    if (dimension.extent)
      fits = *dimension.extent == shape[i];
    else if (!dimension.symbol.empty())
      fits = symbols.emplace(dimension.symbol, shape[i]).first->second == shape[i];
  }
  if (fits) return;
  throw UserError(fmt::format("input `{}` is {} in the model, which [{}] does not fit", port.name,
                              text_of(port), fmt::join(shape, ", ")),
                  "only dimensions that the model leaves open can be chosen, those of one name alike");
}

std::optional<Shape> shape_of(const model::Port& port, const Symbols& symbols) {
  if (!port.shape) return std::nullopt;
  Shape shape;
  for (const model::Dimension& dimension : *port.shape) {
    const auto known = symbols.find(dimension.symbol);
    if (dimension.extent)
      shape.push_back(*dimension.extent);
    else if (known != symbols.end())
      shape.push_back(known->second);
    else
      return std::nullopt;
  }
  return shape;
}

// An option that would do: one image of 224 x 224, or 128 of whatever else is counted.
std::string example(const model::Port& port) {
  if (!port.shape) return fmt::format("--shape {}=1x3x224x224", port.name);
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < port.shape->size(); ++i)
    shape.push_back((*port.shape)[i].extent.value_or(i == 0 ? 1 : port.shape->size() == 4 ? 224 : 128));
  return fmt::format("--shape {}={}", port.name, fmt::join(shape, "x"));
}

[[noreturn]] void refuse_open(const std::vector<const model::Port*>& open) {
  std::string shapes, options;
  for (const model::Port* port : open) {
    shapes += fmt::format("{}`{}` {}", shapes.empty() ? "" : ", ", port->name, text_of(*port));
    options += (options.empty() ? "" : " ") + example(*port);
  }
  throw UserError(fmt::format("the model leaves the {} open: {}",
                              open.size() == 1 ? "shape of an input" : "shapes of its inputs", shapes),
                  fmt::format("choose, for example, `{}`", options));
}

}  // namespace

std::map<std::string, ValueType> input_types(const model::Model& model, const ImportOptions& options) {
  Symbols symbols;
  for (const auto& [name, shape] : options.shapes)
    settle(port_named(model, name, "--shape"), shape, symbols);
  for (const auto& [name, tensor] : options.bound) {
    const model::Port& port = port_named(model, name, "--bind");
    settle(port, tensor.shape(), symbols);
    if (tensor.type() == port.type) continue;
    throw UserError(fmt::format("input `{}` is of type {}, its constant of type {}", name,
                                ir::to_string({port.type}), ir::to_string({tensor.type()})));
  }
  std::map<std::string, ValueType> types;
  std::vector<const model::Port*> open;
  for (const model::Port& port : model.inputs) {
    std::optional<Shape> shape;
    if (const auto given = options.shapes.find(port.name); given != options.shapes.end())
      shape = given->second;
    else if (const auto bound = options.bound.find(port.name); bound != options.bound.end())
      shape = bound->second.shape();
    else
      shape = shape_of(port, symbols);
    if (shape)
      types[port.name] = {port.type, *shape};
    else
      open.push_back(&port);
  }
  if (!open.empty()) refuse_open(open);
  return types;
}

}  // namespace hone::graph::onnx
