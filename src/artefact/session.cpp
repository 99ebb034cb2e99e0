#include "artefact/session.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "runtime/artefact_file.h"

namespace hone::artefact {
namespace {

void require(hone_status status) {
  if (status != HONE_OK) throw UserError(hone_error(), hone_hint());
}

TensorInfo info_of(const hone_tensor& tensor) {
  return {tensor.name, static_cast<ir::Scalar>(tensor.type),
          model::Shape(tensor.shape, tensor.shape + tensor.rank)};
}

void check_input(const TensorInfo& wanted, const model::Tensor& given) {
  if (given.type() == wanted.type && given.shape() == wanted.shape) return;
  const auto print = [](ir::Scalar type, const model::Shape& shape) {
    return fmt::format("{} [{}]", ir::to_string({type, 1}), fmt::join(shape, ", "));
  };
  throw UserError(fmt::format("input {} is {}, not {}", wanted.name, print(wanted.type, wanted.shape),
                              print(given.type(), given.shape())),
                  "`hone inspect` tells the inputs of a file");
}

std::string text_of(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

Session::Session(const std::string& path) {
  hone_model* model = nullptr;
  require(hone_open(path.c_str(), &model));
  model_.reset(model);
  const hone_description all = about();
  hone_tensor tensor;
  for (std::size_t i = 0; i < all.inputs; ++i) {
    require(hone_input(model, i, &tensor));
    inputs_.push_back(info_of(tensor));
  }
  for (std::size_t i = 0; i < all.outputs; ++i) {
    require(hone_output(model, i, &tensor));
    outputs_.push_back(info_of(tensor));
  }
}

std::vector<StepInfo> Session::steps() const {
  std::vector<StepInfo> steps;
  hone_step step;
  for (std::size_t i = 0; i < about().steps; ++i) {
    require(hone_step_at(model_.get(), i, &step));
    steps.push_back({step.label, step.kernel, step.flop, static_cast<std::int64_t>(step.bytes)});
  }
  return steps;
}

std::vector<model::Tensor> Session::run(std::span<const model::Tensor> inputs) const {
  if (inputs.size() != inputs_.size()) {
    throw UserError(fmt::format("the model has {} inputs, not {}", inputs_.size(), inputs.size()));
  }
  std::vector<hone_in> in;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    check_input(inputs_[i], inputs[i]);
    in.push_back({inputs[i].bytes().data(), inputs[i].bytes().size()});
  }
  std::vector<model::Tensor> results;
  std::vector<hone_out> out;
  for (const TensorInfo& info : outputs_) {
    results.push_back(model::Tensor::zeros(info.type, info.shape));
    const std::span<std::byte> memory = results.back().writable();
    out.push_back({memory.data(), memory.size()});
  }
  run(in, out);
  return results;
}

void Session::run(std::span<const hone_in> inputs, std::span<const hone_out> outputs,
                  std::int64_t* step_ns) const {
  require(step_ns == nullptr
              ? hone_run(model_.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size())
              : hone_profile(model_.get(), inputs.data(), inputs.size(), outputs.data(), outputs.size(),
                             step_ns));
}

void set_threads(int threads) { require(hone_set_threads(threads)); }

Contents read_contents(const std::string& path) {
  runtime::ArtefactFile file;
  require(file.open(path.c_str()));
  std::string manifest = text_of(file.find(runtime::SectionKind::Manifest));
  while (manifest.ends_with('\0')) manifest.pop_back();
  return {std::move(manifest), text_of(file.find(runtime::SectionKind::Records))};
}

}  // namespace hone::artefact
