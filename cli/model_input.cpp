#include "cli/model_input.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>

#include "base/error.h"
#include "model/builtin.h"
#include "model/read.h"
#include "model/tensor_file.h"

namespace hone::cli {
namespace {

constexpr std::string_view kBuiltin = "builtin:";

// NAME=VALUE; names of inputs may have a = of their own.
std::pair<std::string, std::string> halves(const std::string& text, const char* option,
                                           const char* example) {
  const std::size_t at = text.rfind('=');
  if (at == std::string::npos || at == 0)
    throw UserError(fmt::format("{}: `{}` does not say which input it is of", option, text),
                    fmt::format("write it as `{} {}`", option, example));
  return {text.substr(0, at), text.substr(at + 1)};
}

graph::Shape parse_shape(const std::string& text) {
  graph::Shape shape;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    std::int64_t extent = 0;
    const auto [next, problem] = std::from_chars(at, end, extent);
    if (problem != std::errc() || extent < 1 || (next != end && *next != 'x'))
      throw UserError(fmt::format("--shape: `{}` is no shape", text),
                      "extents are joined by an x: `1x3x224x224`");
    shape.push_back(extent);
    if (next == end) return shape;
    at = next + 1;
  }
}

}  // namespace

bool is_model(const std::string& file) {
  constexpr int kFirstField = 0x08;  // of an ONNX file: its IR version
  return file.starts_with(kBuiltin) || file.ends_with(".onnx") ||
         std::ifstream(file).get() == kFirstField;
}

model::Model load_model(const std::string& file) {
  return file.starts_with(kBuiltin) ? model::builtin(file.substr(kBuiltin.size())) : model::read(file);
}

graph::ImportOptions import_options(const ModelInput& input) {
  graph::ImportOptions options;
  for (const std::string& text : input.shapes) {
    const auto [name, shape] = halves(text, "--shape", "data=1x3x224x224");
    options.shapes[name] = parse_shape(shape);
  }
  for (const std::string& text : input.binds) {
    const auto [name, file] = halves(text, "--bind", "shape=shape.npy");
    const std::vector<model::NamedTensor> tensors = model::read_tensors(file);
    if (tensors.size() != 1)
      throw UserError(fmt::format("--bind: `{}` holds {} tensors, not one", file, tensors.size()));
    options.bound[name] = tensors.front().tensor;
  }
  return options;
}

}  // namespace hone::cli
