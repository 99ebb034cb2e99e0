#include "artefact/manifest.h"

#include <algorithm>
#include <iterator>

#include "artefact/views.h"
#include "base/json.h"
#include "base/json_object.h"
#include "base/match.h"
#include "runtime/format.h"

namespace hone::artefact {
namespace {

template <class Items, class Print>
std::string list(const Items& items, Print print) {
  std::string out;
  append_json_list(out, items, [&](std::string& text, const auto& item) { text += print(item); });
  return out;
}

std::string numbers(const std::vector<std::int64_t>& all) {
  return list(all, [](std::int64_t number) { return std::to_string(number); });
}

std::string ports(const Program& program, const std::vector<BufferId>& buffers) {
  return list(buffers, [&](BufferId id) {
    const Buffer& buffer = program.buffer(id);
    return JsonObject()
        .add("name", buffer.name)
        .add("type", ir::to_string({buffer.type, 1}))
        .add_json("shape", numbers(buffer.shape))
        .text();
  });
}

bool is_view(const codegen::Parameter& parameter) {
  return !same_strides(parameter.shape, parameter.strides, dense_strides(parameter.shape));
}

std::string view(const codegen::Parameter& parameter) {
  return JsonObject()
      .add("parameter", parameter.name)
      .add_json("shape", numbers(parameter.shape))
      .add_json("strides", numbers(parameter.strides))
      .text();
}

// That a call reads and writes: of views only what is theirs.
std::int64_t moved_bytes(const codegen::Kernel& kernel) {
  std::int64_t bytes = 0;
  for (const codegen::Parameter& parameter : kernel.parameters)
    bytes += model::elements(parameter.shape) * ir::size_bytes(parameter.type.scalar);
  return bytes;
}

std::string step(const Step& step, const std::vector<KernelUse>& kernels) {
  JsonObject json;
  match(
      step.action,
      [&](const KernelCall& call) {
        json.add("kernel", call.kernel)
            .add("bytes", moved_bytes(kernels[static_cast<std::size_t>(call.kernel)].kernel));
      },
      [&](const Copy& copy) {
        const std::int64_t bytes = copy.rows * copy.row_bytes;
        json.add("copy_bytes", bytes).add("bytes", 2 * bytes);
      },
      [&](const TopK& topk) { json.add("topk", topk.k); },
      [&](const Loop& loop) { json.add("trips", loop.trips).add("steps", loop.steps); });
  return json.add("label", step.label).add("flop", step.flop).text();
}

}  // namespace

std::string Manifest::kernel(const KernelUse& use) {
  JsonObject json;
  json.add("name", use.kernel.name).add("code_bytes", use.kernel.image.size());
  std::vector<codegen::Parameter> views;
  std::ranges::copy_if(use.kernel.parameters, std::back_inserter(views), is_view);
  if (!views.empty()) json.add_json("views", list(views, view));
  if (!use.record.empty()) {
    records_ += use.record + '\n';
    json.add("record", ++record_count_);
  }
  return json.text();
}

void Manifest::add(const Variant& variant, const MemoryPlan& plan) {
  variants_.push_back(
      JsonObject()
          .add("target", target::to_string(variant.target))
          .add("threads", variant.threads)
          .add("arena_bytes", plan.arena_bytes)
          .add("live_bytes", plan.live_bytes)
          .add_json("kernels", list(variant.kernels, [&](const KernelUse& use) { return kernel(use); }))
          .add_json("steps", list(variant.program.steps,
                                  [&](const Step& each) { return step(each, variant.kernels); }))
          .text());
}

std::string Manifest::text() const {
  const Program& program = artefact_.variants.front().program;
  return JsonObject()
      .add("format", runtime::kFormatVersion)
      .add("hone", HONE_VERSION)
      .add("compiler", artefact_.compiler)
      .add("model", artefact_.model)
      .add("weights_hash", artefact_.weights_hash)
      .add("tolerance", artefact_.tolerance)
      .add_json("inputs", ports(program, program.inputs))
      .add_json("outputs", ports(program, program.outputs))
      .add_json("variants", list(variants_, [](const std::string& variant) { return variant; }))
      .text();
}

}  // namespace hone::artefact
