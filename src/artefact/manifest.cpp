#include "artefact/manifest.h"

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

std::string ports(const Program& program, const std::vector<BufferId>& buffers) {
  return list(buffers, [&](BufferId id) {
    const Buffer& buffer = program.buffer(id);
    return JsonObject()
        .add("name", buffer.name)
        .add("type", ir::to_string({buffer.type, 1}))
        .add_json("shape", list(buffer.shape, [](std::int64_t dim) { return std::to_string(dim); }))
        .text();
  });
}

std::string step(const Step& step) {
  JsonObject json;
  match(
      step.action, [&](const KernelCall& call) { json.add("kernel", call.kernel); },
      [&](const Copy& copy) { json.add("copy_bytes", copy.rows * copy.row_bytes); },
      [&](const TopK& topk) { json.add("topk", topk.k); },
      [&](const Loop& loop) { json.add("trips", loop.trips).add("steps", loop.steps); });
  return json.add("label", step.label).add("flop", step.flop).text();
}

}  // namespace

std::string Manifest::kernel(const KernelUse& use) {
  JsonObject json;
  json.add("name", use.kernel.name).add("code_bytes", use.kernel.image.size());
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
          .add_json("steps", list(variant.program.steps, step))
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
