#include "artefact/build.h"

#include "artefact/encode.h"
#include "artefact/manifest.h"
#include "artefact/pack_weights.h"
#include "artefact/plan_memory.h"
#include "artefact/verify.h"
#include "base/error.h"

namespace hone::artefact {
namespace {

using runtime::SectionKind;

std::vector<std::byte> bytes_of(const std::string& text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

bool same_ports(const Program& a, const Program& b, const std::vector<BufferId>& in_a,
                const std::vector<BufferId>& in_b) {
  const auto same = [&](BufferId x, BufferId y) {
    return a.buffer(x).name == b.buffer(y).name && a.buffer(x).type == b.buffer(y).type &&
           a.buffer(x).shape == b.buffer(y).shape;
  };
  return std::ranges::equal(in_a, in_b, same);
}

}  // namespace

File build(const Artefact& artefact) {
  check(!artefact.variants.empty(), "an artefact has a variant");
  File file;
  Manifest manifest(artefact);
  std::vector<Section> programs;
  for (const Variant& given : artefact.variants) {
    Variant variant = given;
    variant.program = pack_weights(std::move(variant.program), variant.kernels);
    verify(variant);
    const Program& first = artefact.variants.front().program;
    check(same_ports(variant.program, first, variant.program.inputs, first.inputs) &&
              same_ports(variant.program, first, variant.program.outputs, first.outputs),
          "all variants have the same inputs and outputs");
    const MemoryPlan plan = plan_memory(variant.program);
    Encoded encoded = encode(variant, plan, file.weights);
    const auto number = static_cast<std::uint32_t>(programs.size() / 2);
    programs.push_back({SectionKind::Program, number, std::move(encoded.program)});
    programs.push_back({SectionKind::Images, number, std::move(encoded.images)});
    manifest.add(variant, plan);
  }
  file.sections.push_back({SectionKind::Manifest, 0, bytes_of(manifest.text() + '\0')});
  for (Section& section : programs) file.sections.push_back(std::move(section));
  file.sections.push_back({SectionKind::Records, 0, bytes_of(manifest.records())});
  file.sections.push_back({SectionKind::Weights});
  return file;
}

}  // namespace hone::artefact
