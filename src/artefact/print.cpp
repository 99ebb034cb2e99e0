// A program as text.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "artefact/program.h"
#include "base/match.h"

namespace hone::artefact {
namespace {

constexpr const char* kPlaces[] = {"input", "output", "weight", "arena"};  // in the order of Place

std::string print(const Program& program, const Operand& operand) {
  std::string text = program.buffer(operand.buffer).name;
  if (operand.offset_bytes != 0) text += fmt::format("+{}", operand.offset_bytes);
  if (operand.stride_bytes != 0) text += fmt::format("{:+}i", operand.stride_bytes);
  return text;
}

std::string print(const Program& program, const std::vector<Operand>& operands) {
  std::vector<std::string> texts;
  for (const Operand& operand : operands) texts.push_back(print(program, operand));
  return fmt::format("{}", fmt::join(texts, ", "));
}

std::string print(const Program& program, const Step& step) {
  return match(
      step.action,
      [&](const KernelCall& call) {
        std::string text = fmt::format("kernel {} ({}) -> ({})", call.kernel,
                                       print(program, call.inputs), print(program, call.outputs));
        for (const InPlace& place : call.in_place) {
          text += fmt::format(" in place {}:{}", place.input, place.output);
        }
        return text;
      },
      [&](const Copy& copy) {
        return fmt::format("copy {}x{} {} -> {}", copy.rows, copy.row_bytes, print(program, copy.from),
                           print(program, copy.to));
      },
      [&](const TopK& topk) {
        return fmt::format("topk {} of {}x{}x{} {} -> {}, {}", topk.k, topk.outer, topk.extent,
                           topk.inner, print(program, topk.from), print(program, topk.values),
                           print(program, topk.places));
      },
      [](const Loop& loop) { return fmt::format("loop {}", loop.trips); });
}

}  // namespace

std::string print(const Program& program) {
  std::string text;
  for (const Buffer& buffer : program.buffers) {
    text += fmt::format("{} {} {}", kPlaces[static_cast<std::size_t>(buffer.place)], buffer.name,
                        buffer.size_bytes);
    if (buffer.parent >= 0) {
      text += fmt::format(" in {}+{}", program.buffer(buffer.parent).name, buffer.offset_bytes);
    }
    text += '\n';
  }
  const std::vector<int> around = loops_around(program);
  for (std::size_t i = 0; i < program.steps.size(); ++i) {
    const Step& step = program.steps[i];
    text += fmt::format("{}{}{}\n", around[i] >= 0 ? "  " : "", print(program, step),
                        step.label.empty() ? "" : "  # " + step.label);
  }
  return text;
}

}  // namespace hone::artefact
