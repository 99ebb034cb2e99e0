#include "tune/onnx_scorer.h"

#include <fmt/format.h>

#include "base/error.h"
#include "feature/section_rows.h"
#include "model/read.h"
#include "model/write.h"
#include "score/onnx_network.h"
#include "tune/dense_compiler.h"

namespace hone::tune {
namespace {

// TLP's table goes by the name that its paper's readers expect.
struct InputName {
  const char *name, *view;
  bool has_rows;
};
constexpr InputName kInputs[] = {{"rows", "tlp", true},
                                 {"primitives", "primitives", true},
                                 {"statements", "statements", true},
                                 {"summary", "summary", false},
                                 {"context", "context", false},
                                 {"embedding", "embedding", false}};

std::vector<score::OnnxInput> known_inputs() {
  const feature::SectionInput none;
  std::vector<score::OnnxInput> out;
  for (const InputName& input : kInputs) {
    const feature::SectionRows rows = feature::section_rows(input.view, none);
    out.push_back({input.name, input.view, rows.version, rows.width, input.has_rows});
  }
  return out;
}

}  // namespace

bool is_onnx(const std::string& path) { return path.ends_with(".onnx"); }

std::shared_ptr<const score::Network> load_onnx_scorer(const std::string& path,
                                                       const target::Target& target,
                                                       const std::string& cache_folder,
                                                       bool tells_hidden) {
  const model::Model model = model::read(path);
  if (tells_hidden && model.outputs.size() < 2)
    throw UserError(fmt::format("{} does not say what its last layer reads", path),
                    "export it with a second output `hidden`, or use it with --scorer-use residual");
  try {
    // Weights may lie in a file beside the model: the key is made of all of it.
    return score::make_onnx_network(
        model, known_inputs(),
        dense_compiler({.target = target, .folder = cache_folder, .key = model::to_bytes(model)}));
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", path, error.what()), error.hint());
  }
}

}  // namespace hone::tune
