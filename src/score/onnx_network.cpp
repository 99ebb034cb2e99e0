#include "score/onnx_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/nearest.h"
#include "graph/from_model.h"

namespace hone::score {
namespace {

using model::Port;
using model::Shape;

constexpr std::int64_t kProgramsAtOnce = 64;  // where the model leaves it open
constexpr std::string_view kMask = "_mask";
constexpr double kLargestLog = 300;  // far beyond it squares of powers of e are no numbers

struct Input {
  OnnxInput what;
  std::int64_t rows = 1;
  bool is_mask = false;

  std::size_t size() const { return static_cast<std::size_t>(rows * (is_mask ? 1 : what.columns)); }
};

std::string text_of(const Port& port) {
  if (!port.shape) return "no shape";
  std::vector<std::string> parts;
  for (const model::Dimension& dimension : *port.shape) {
    const std::string open = dimension.symbol.empty() ? "?" : dimension.symbol;
    parts.push_back(dimension.extent ? std::to_string(*dimension.extent) : open);
  }
  return fmt::format("[{}]", fmt::join(parts, ", "));
}

// What the name of an input asks for.
Input input_named(const std::string& name, std::span<const OnnxInput> known) {
  std::vector<std::string> names;
  for (const OnnxInput& one : known) {
    if (one.name == name) return {one};
    if (one.has_rows && one.name + std::string(kMask) == name) return {one, 1, true};
    names.push_back(one.name);
  }
  throw UserError(fmt::format("its input `{}` is none of the features that hone makes", name),
                  did_you_mean(name, names));
}

void check_version(const model::Model& model, const OnnxInput& input) {
  const std::string key = "hone.feature." + input.name;
  const auto found = model.metadata.find(key);
  const std::string wanted = std::to_string(input.version);
  if (found == model.metadata.end())
    throw UserError(fmt::format("it does not say for which version of `{}` it is made", input.name),
                    fmt::format("note {}={} in its metadata_props", key, wanted));
  if (found->second != wanted)
    throw UserError(fmt::format("it is made for version {} of `{}`, and this hone makes version {}",
                                found->second, input.name, wanted),
                    "train the model again with features that this hone exported");
}

// Of an input: sets its rows and gives its shape; dimension 0 is the batch's, 0 where it is open.
Shape declared_shape(const Port& port, Input& input) {
  std::vector<std::string> parts = {"batch"};
  if (input.what.has_rows) parts.emplace_back("rows");
  if (!input.is_mask) parts.push_back(std::to_string(input.what.columns));
  const auto refuse = [&] {
    throw UserError(
        fmt::format("its input `{}` is {}; it has to be [{}] of float32", port.name, text_of(port),
                    fmt::join(parts, ", ")),
        input.what.has_rows ? "the number of rows is yours to choose, and fixed: say 25 or 64" : "");
  };
  if (!port.shape || port.shape->size() != parts.size() || port.type != ir::Scalar::F32) refuse();
  Shape shape;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::optional<std::int64_t> extent = (*port.shape)[i].extent;
    const bool is_columns = i + 1 == parts.size() && !input.is_mask;
    if (i > 0 && !extent) refuse();
    if (extent && (*extent < 1 || (is_columns && *extent != input.what.columns))) refuse();
    shape.push_back(extent.value_or(0));
  }
  if (input.what.has_rows) input.rows = shape[1];
  return shape;
}

struct Declared {
  std::vector<Input> inputs;
  std::map<std::string, Shape> shapes;
  std::int64_t batch = 0;
};

Declared declared_by(const model::Model& model, std::span<const OnnxInput> known) {
  Declared out;
  for (const Port& port : model.inputs) {
    Input input = input_named(port.name, known);
    check_version(model, input.what);
    const Shape& shape = out.shapes[port.name] = declared_shape(port, input);
    if (shape[0] > 0 && out.batch > 0 && shape[0] != out.batch)
      throw UserError(
          fmt::format("its inputs are for {} and for {} programs at once", out.batch, shape[0]),
          "leave the batch open in all inputs, or give it one extent");
    out.batch = std::max(out.batch, shape[0]);
    out.inputs.push_back(std::move(input));
  }
  if (out.inputs.empty())
    throw UserError("it has no input", "name one after a feature, such as `rows`");
  if (out.batch == 0) out.batch = kProgramsAtOnce;
  for (auto& [name, shape] : out.shapes) shape[0] = out.batch;
  return out;
}

// -1 or 1: what the output is multiplied with to become the logarithm of a score.
double sign_of_output(const model::Model& model) {
  const auto found = model.metadata.find("hone.output");
  if (found == model.metadata.end() || found->second == "score") return 1;
  if (found->second == "log_latency") return -1;
  throw UserError(fmt::format("its hone.output is `{}`", found->second),
                  "score (higher is faster) or log_latency");
}

void check_outputs(const graph::Graph& graph, std::int64_t batch) {
  const auto type = [&](std::size_t i) {
    return graph.values[static_cast<std::size_t>(graph.outputs[i])].type;
  };
  const auto name = [&](std::size_t i) {
    return graph.values[static_cast<std::size_t>(graph.outputs[i])].name;
  };
  if (graph.outputs.size() > 2 || (graph.outputs.size() == 2 && name(1) != "hidden"))
    throw UserError(fmt::format("it has {} outputs", graph.outputs.size()),
                    "one: the score of each program; a second one may be called `hidden`");
  const bool fits = type(0) == graph::ValueType{ir::Scalar::F32, {batch}} ||
                    type(0) == graph::ValueType{ir::Scalar::F32, {batch, 1}};
  if (!fits)
    throw UserError(fmt::format("its output `{}` is [{}] for a batch of {}", name(0),
                                fmt::join(type(0).shape, ", "), batch),
                    "one float32 a program: [batch] or [batch, 1]");
  if (graph.outputs.size() < 2) return;
  const graph::ValueType hidden = type(1);
  if (hidden.type != ir::Scalar::F32 || hidden.shape.size() != 2 || hidden.shape[0] != batch)
    throw UserError(fmt::format("its output `hidden` is [{}]", fmt::join(hidden.shape, ", ")),
                    "[batch, width] of float32");
}

void check_weights(const graph::Graph& graph) {
  for (const graph::Value& value : graph.values) {
    if (!value.constant || value.type.type != ir::Scalar::F32) continue;
    if (std::ranges::any_of(value.constant->as<float>(), [](float x) { return std::isnan(x); }))
      throw UserError(fmt::format("its weight `{}` holds a value that is no number", value.name),
                      "training went wrong: export an earlier state of the model");
  }
}

std::vector<std::string> views_of(const std::vector<Input>& inputs) {
  std::vector<std::string> views;
  for (const Input& input : inputs) {
    if (std::ranges::find(views, input.what.view) == views.end()) views.push_back(input.what.view);
  }
  return views;
}

class OnnxNetwork final : public Network {
 public:
  OnnxNetwork(Declared declared, double sign, graph::Graph graph, const CompileDense& compile)
      : Network(views_of(declared.inputs)), inputs_(std::move(declared.inputs)), sign_(sign) {
    batch_ = static_cast<std::size_t>(declared.batch);
    for (const graph::ValueId id : graph.outputs) {
      const Shape& shape = graph.values[static_cast<std::size_t>(id)].type.shape;
      widths_.push_back(shape.size() == 1 ? 1 : static_cast<std::size_t>(shape[1]));
    }
    run_ = compile(std::move(graph));
  }

  std::vector<Prediction> predict(std::span<const Sample> samples) const override {
    std::vector<Prediction> all;
    all.reserve(samples.size());
    for (; !samples.empty(); samples = samples.subspan(std::min(batch_, samples.size())))
      predict_some(samples.first(std::min(batch_, samples.size())), all);
    return all;
  }

 private:
  void predict_some(std::span<const Sample> samples, std::vector<Prediction>& all) const {
    std::vector<std::vector<float>> values, said;
    for (const Input& input : inputs_) values.push_back(gather(input, samples));
    for (const std::size_t width : widths_) said.emplace_back(samples.size() * width);
    const std::vector<std::span<const float>> inputs(values.begin(), values.end());
    run_->run(samples.size(), inputs, std::vector<std::span<float>>(said.begin(), said.end()));
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const double log_score = sign_ * double{said[0][i]};
      if (!std::isfinite(log_score))
        throw UserError("the scorer answers with something that is no number",
                        "look for divisions and logarithms in the model");
      Prediction& prediction = all.emplace_back();
      prediction.score = std::exp(std::clamp(log_score, -kLargestLog, kLargestLog));
      if (widths_.size() < 2) continue;
      const auto hidden = said[1].begin() + static_cast<std::ptrdiff_t>(i * widths_[1]);
      prediction.hidden.assign(hidden, hidden + static_cast<std::ptrdiff_t>(widths_[1]));
    }
  }

  static std::vector<float> gather(const Input& input, std::span<const Sample> samples) {
    std::vector<float> values(samples.size() * input.size());
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const View& view = view_of(samples[i], input.what.view);
      if (view.n_rows() > 0 && view.columns != static_cast<std::size_t>(input.what.columns))
        throw UserError(
            fmt::format("the scorer reads rows of {} numbers in `{}`, and here they have {}",
                        input.what.columns, input.what.name, view.columns),
            "it is made for another kind of target");
      const std::size_t n_rows = std::min(view.n_rows(), static_cast<std::size_t>(input.rows));
      float* const to = values.data() + i * input.size();
      input.is_mask ? void(std::fill_n(to, n_rows, 1.0F))
                    : void(std::copy_n(view.values.data(), n_rows * view.columns, to));
    }
    return values;
  }

  std::vector<Input> inputs_;
  double sign_;
  std::size_t batch_ = 0;
  std::vector<std::size_t> widths_;  // of the outputs
  std::unique_ptr<DenseFunction> run_;
};

}  // namespace

std::unique_ptr<Network> make_onnx_network(const model::Model& model, std::span<const OnnxInput> known,
                                           const CompileDense& compile) {
  Declared declared = declared_by(model, known);
  const double sign = sign_of_output(model);
  graph::Graph graph = graph::from_model(model, {.shapes = declared.shapes, .bound = {}});
  check_outputs(graph, declared.batch);
  check_weights(graph);
  return std::make_unique<OnnxNetwork>(std::move(declared), sign, std::move(graph), compile);
}

}  // namespace hone::score
