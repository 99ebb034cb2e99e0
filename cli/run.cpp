// `hone run`: an artefact once, on real inputs or random ones.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "artefact/random_input.h"
#include "base/error.h"
#include "base/nearest.h"
#include "cli/artefact_file.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/model_input.h"
#include "cli/terminal.h"
#include "graph/evaluate.h"
#include "model/compare.h"
#include "model/tensor_file.h"

namespace hone::cli {
namespace {

using artefact::TensorInfo;
using model::NamedTensor;
using model::Tensor;
using Json = nlohmann::ordered_json;

std::size_t place_of(const std::vector<TensorInfo>& infos, const std::string& name,
                     const std::string& whose) {
  const auto found = std::ranges::find(infos, name, &TensorInfo::name);
  if (found != infos.end()) return static_cast<std::size_t>(found - infos.begin());
  std::vector<std::string> names;
  for (const TensorInfo& info : infos) names.push_back(info.name);
  throw UserError(fmt::format("{}: the artefact has no input `{}`", whose, name),
                  did_you_mean(name, names));
}

// Those of the file, and random ones where it has none.
std::vector<Tensor> inputs_of(const artefact::Session& session, const std::string& file) {
  const std::vector<TensorInfo>& infos = session.inputs();
  std::vector<std::optional<Tensor>> given(infos.size());
  for (const auto& [name, tensor] :
       file.empty() ? std::vector<NamedTensor>() : model::read_tensors(file)) {
    const bool is_only = name.empty() && infos.size() == 1;
    given[is_only ? 0 : place_of(infos, name, file)] = tensor;
  }
  std::vector<Tensor> inputs;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (!given[i]) fmt::print(stderr, "note: input {} is random\n", infos[i].name);
    inputs.push_back(given[i] ? *given[i] : artefact::random_input(infos[i], i));
  }
  return inputs;
}

struct Checked {
  std::string output;
  double error;
};

std::vector<Checked> check(const artefact::Session& session, const std::vector<Tensor>& inputs,
                           const std::vector<Tensor>& outputs, const Run& options) {
  const graph::Graph graph =
      graph::from_model(load_model(options.reference), import_options(options.model));
  if (graph.inputs.size() != inputs.size() || graph.outputs.size() != outputs.size()) {
    throw UserError(fmt::format("{} has other inputs or outputs than the artefact", options.reference),
                    "check against the model that the artefact was made from");
  }
  std::vector<Tensor> in_order;
  for (const graph::ValueId id : graph.inputs) {
    const graph::Value& value = graph.values[static_cast<std::size_t>(id)];
    const Tensor& input = inputs[place_of(session.inputs(), value.name, options.reference)];
    if (input.type() != value.type.type || input.shape() != value.type.shape)
      throw UserError(fmt::format("input {} has another shape in {} than in the artefact", value.name,
                                  options.reference));
    in_order.push_back(input);
  }
  const std::vector<Tensor> wanted = graph::evaluate(graph, in_order);
  std::vector<Checked> checked;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    checked.push_back({session.outputs()[i].name, model::relative_error(outputs[i], wanted[i])});
  return checked;
}

// The places of the largest elements, largest first; the first of equals.
std::vector<std::int64_t> largest(const Tensor& tensor, int count) {
  std::vector<std::int64_t> places(static_cast<std::size_t>(tensor.size()));
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(places, std::ranges::greater(),
                           [&](std::int64_t i) { return model::element(tensor, i); });
  places.resize(std::min(places.size(), static_cast<std::size_t>(count)));
  return places;
}

std::vector<std::int64_t> index_of(const model::Shape& shape, std::int64_t place) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; place /= shape[d]) index[d] = place % shape[d];
  return index;
}

struct Report {
  std::vector<NamedTensor> outputs;
  std::vector<Checked> checked;
};

void print_text(const Report& report, const Run& options) {
  for (const auto& [name, tensor] : report.outputs) {
    fmt::print("output    {}  {} [{}]\n", name, ir::to_string({tensor.type(), 1}),
               fmt::join(tensor.shape(), ", "));
    for (const std::int64_t place : largest(tensor, options.top)) {
      fmt::print("          {:<12.6g} at [{}]\n", model::element(tensor, place),
                 fmt::join(index_of(tensor.shape(), place), ", "));
    }
  }
  for (const Checked& one : report.checked) {
    fmt::print("error     {}  {:.2g}, {} {}\n", one.output, one.error,
               one.error <= options.tolerance ? "within" : "more than", options.tolerance);
  }
}

void print_json(const Report& report, const Run& options) {
  Json outputs = Json::array();
  for (const auto& [name, tensor] : report.outputs) {
    Json output{{"name", name}, {"type", ir::to_string({tensor.type(), 1})}, {"shape", tensor.shape()}};
    for (const std::int64_t place : largest(tensor, options.top)) {
      output["top"].push_back(
          {{"index", index_of(tensor.shape(), place)}, {"value", model::element(tensor, place)}});
    }
    outputs.push_back(std::move(output));
  }
  Json json{{"schema", "hone.run/1"}, {"outputs", std::move(outputs)}};
  for (const Checked& one : report.checked)
    json["checked"].push_back({{"output", one.output}, {"error", one.error}});
  if (!report.checked.empty()) json["tolerance"] = options.tolerance;
  fmt::print("{}\n", json.dump());
}

}  // namespace

int run(const Run& options) {
  const artefact::Session session = open_artefact(options.artefact, options.threads);
  const std::vector<Tensor> inputs = inputs_of(session, options.input);
  const std::vector<Tensor> outputs = session.run(inputs);
  Report report;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    report.outputs.push_back({session.outputs()[i].name, outputs[i]});
  if (!options.output.empty()) model::write_tensors(options.output, report.outputs);
  if (!options.reference.empty()) report.checked = check(session, inputs, outputs, options);
  options.json ? print_json(report, options) : print_text(report, options);
  const bool is_right = std::ranges::all_of(
      report.checked, [&](const Checked& one) { return one.error <= options.tolerance; });
  if (is_right) return kDone;
  fmt::print(stderr, "{} the artefact does not compute what {} says\n",
             paint("failed:", Colour::Red, stderr), options.reference);
  return kAnswerIsNo;
}

}  // namespace hone::cli
