#include "runtime/program.h"

#include "runtime/hone.h"

namespace hone::runtime {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{1}
                                     << 46;  // of anything: sums of a few stay far from 2^63

bool multiply(std::uint64_t& product, std::int64_t factor) {
  return factor >= 0 &&
         !__builtin_mul_overflow(product, static_cast<std::uint64_t>(factor), &product) &&
         product <= kMostBytes;
}

// Each function says what is wrong, or null.
class Checker {
 public:
  Checker(const Program& program, std::size_t section_bytes, std::size_t image_bytes,
          std::size_t weight_bytes)
      : program_(program),
        section_bytes_(section_bytes),
        image_bytes_(image_bytes),
        weight_bytes_(weight_bytes) {}

  const char* run() const {
    const ProgramHeader& h = program_.header();
    if (!holds(h.inputs, sizeof(Port)) || !holds(h.outputs, sizeof(Port)) ||
        !holds(h.kernels, sizeof(KernelEntry)) || !holds(h.operands, sizeof(Operand)) ||
        !holds(h.steps, sizeof(StepEntry))) {
      return "a table lies outside of its section";
    }
    if (!is_text(h.target) || !is_text(h.features)) return "the target is no text";
    if (h.arena_bytes > kMostBytes) return "its arena is too large";
    for (const Port& port : program_.inputs()) {
      if (const char* fault = check(port)) return fault;
    }
    for (const Port& port : program_.outputs()) {
      if (const char* fault = check(port)) return fault;
    }
    for (const KernelEntry& kernel : program_.kernels()) {
      if (const char* fault = check(kernel)) return fault;
    }
    return check_steps();
  }

 private:
  bool holds(Table table, std::size_t entry_bytes) const {
    return table.offset % 8 == 0 && table.offset <= section_bytes_ &&
           std::uint64_t{table.count} * entry_bytes <= section_bytes_ - table.offset;
  }
  bool is_text(Text text) const {
    return std::uint64_t{text.offset} + text.size < section_bytes_ &&
           program_.text(text)[text.size] == '\0';
  }

  const char* check(const Port& port) const {
    if (!is_text(port.name)) return "an input or output has no name";
    std::uint64_t bytes = type_bytes(port.type);
    if (bytes == 0) return "an input or output has an unknown type";
    if (!holds(port.dims, sizeof(std::int64_t))) return "a shape lies outside of its section";
    for (const std::int64_t dim : program_.dims(port)) {
      if (!multiply(bytes, dim)) return "an input or output is too large";
    }
    return nullptr;
  }

  const char* check(const KernelEntry& kernel) const {
    if (!is_text(kernel.name)) return "a kernel has no name";
    const bool inside = kernel.image_offset <= image_bytes_ &&
                        kernel.image_bytes <= image_bytes_ - kernel.image_offset &&
                        kernel.entry < kernel.image_bytes && kernel.image_offset % kImageAlignment == 0;
    if (!inside) return "a kernel lies outside of the code";
    const bool small = kernel.scratch_bytes <= kMostBytes && kernel.thread_scratch_bytes <= kMostBytes;
    return small ? nullptr : "a kernel wants too much memory";
  }

  const char* check_steps() const {
    const std::span<const StepEntry> steps = program_.steps();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const StepEntry& step = steps[i];
      if (const char* fault = check(step, 1)) return fault;
      if (step.kind != StepKind::Loop) continue;
      const auto count = static_cast<std::uint64_t>(step.loop.steps);
      if (step.loop.trips < 0 || count > steps.size() - i - 1) return "a loop reaches behind the steps";
      for (const StepEntry& inner : steps.subspan(i + 1, count)) {
        if (inner.kind == StepKind::Loop) return "a loop is in a loop";
        if (const char* fault = check(inner, step.loop.trips)) return fault;
      }
      i += count;
    }
    return nullptr;
  }

  const char* check(const StepEntry& step, std::int64_t trips) const {
    if (!is_text(step.label)) return "a step has no label";
    if (std::uint64_t{step.first_operand} + step.operand_count > program_.header().operands.count) {
      return "a step has operands outside of their table";
    }
    for (const Operand& operand : program_.operands(step)) {
      if (!is_inside(operand, trips)) return "an operand lies outside of its memory";
    }
    switch (step.kind) {
      case StepKind::Kernel:
        return step.kernel < program_.kernels().size() ? nullptr : "a step calls no kernel";
      case StepKind::Copy:
        return is_copy(step) ? nullptr : "a copy does not fit its operands";
      case StepKind::TopK:
        return is_topk(step) ? nullptr : "a TopK does not fit its operands";
      case StepKind::Loop:
        return step.operand_count == 0 ? nullptr : "a loop has operands";
    }
    return "a step is of an unknown kind";
  }

  // The end of the region, and whether it may be written.
  std::uint64_t region_bytes(const Operand& operand) const {
    if (operand.region == static_cast<std::uint32_t>(Region::Arena))
      return program_.header().arena_bytes;
    if (operand.region == static_cast<std::uint32_t>(Region::Weights)) {
      return operand.is_written != 0 ? 0 : weight_bytes_;
    }
    const std::size_t port = operand.region - static_cast<std::uint32_t>(Region::FirstPort);
    const std::span<const Port> inputs = program_.inputs(), outputs = program_.outputs();
    if (port < inputs.size()) return operand.is_written != 0 ? 0 : size_bytes(program_, inputs[port]);
    if (port - inputs.size() >= outputs.size()) return 0;
    return size_bytes(program_, outputs[port - inputs.size()]);
  }

  bool is_inside(const Operand& operand, std::int64_t trips) const {
    if (operand.size_bytes == 0 || trips == 0) return true;
    std::int64_t way = 0, last = 0;
    if (operand.size_bytes > kMostBytes ||
        __builtin_mul_overflow(operand.stride_bytes, trips - 1, &way) ||
        __builtin_add_overflow(operand.offset_bytes, way, &last)) {
      return false;
    }
    const std::int64_t highest = last > operand.offset_bytes ? last : operand.offset_bytes;
    const std::uint64_t end = static_cast<std::uint64_t>(highest) + operand.size_bytes;
    return operand.offset_bytes >= 0 && last >= 0 && end <= region_bytes(operand);
  }

  // Whether `rows` of `row_bytes`, `stride_bytes` apart, end within `size_bytes`.
  static bool fits(const CopyRows& copy, std::int64_t stride_bytes, std::uint64_t size_bytes) {
    auto bytes = static_cast<std::uint64_t>(stride_bytes);
    return stride_bytes >= 0 && multiply(bytes, copy.rows - 1) &&
           bytes + static_cast<std::uint64_t>(copy.row_bytes) <= size_bytes;
  }
  bool is_copy(const StepEntry& step) const {
    const CopyRows& copy = step.copy;
    if (step.operand_count != 2 || copy.rows < 0 || copy.row_bytes < 0) return false;
    if (copy.rows == 0) return true;
    const std::span<const Operand> operands = program_.operands(step);
    // A row may be read again and again, but is written once.
    const bool apart = copy.rows == 1 || copy.to_stride_bytes >= copy.row_bytes;
    return apart && operands[1].is_written != 0 &&
           fits(copy, copy.from_stride_bytes, operands[0].size_bytes) &&
           fits(copy, copy.to_stride_bytes, operands[1].size_bytes);
  }
  bool is_topk(const StepEntry& step) const {
    const TopKOf& topk = step.topk;
    if (step.operand_count != 3 || topk.k < 0 || topk.k > topk.extent) return false;
    std::uint64_t lanes = 1;
    if (!multiply(lanes, topk.outer) || !multiply(lanes, topk.inner)) return false;
    std::uint64_t read = lanes, kept = lanes;
    if (!multiply(read, topk.extent) || !multiply(kept, topk.k)) return false;
    const std::span<const Operand> operands = program_.operands(step);
    const std::size_t bytes = type_bytes(topk.type);
    return bytes > 0 && operands[1].is_written != 0 && operands[2].is_written != 0 &&
           read * bytes <= operands[0].size_bytes && kept * bytes <= operands[1].size_bytes &&
           kept * sizeof(std::int64_t) <= operands[2].size_bytes;
  }

  const Program& program_;
  std::uint64_t section_bytes_, image_bytes_, weight_bytes_;
};

}  // namespace

std::size_t type_bytes(std::uint32_t type) {
  constexpr std::size_t kBytes[] = {1, 1, 2, 4, 8, 1, 2,
                                    4, 8, 2, 2, 4, 8};  // in the order of hone_type
  return type < sizeof kBytes / sizeof *kBytes ? kBytes[type] : 0;
}

std::size_t size_bytes(const Program& program, const Port& port) {
  std::size_t bytes = type_bytes(port.type);
  for (const std::int64_t dim : program.dims(port)) bytes *= static_cast<std::size_t>(dim);
  return bytes;
}

const char* Program::fault(std::size_t image_bytes, std::size_t weight_bytes) const {
  if (section_.size() < sizeof(ProgramHeader)) return "it has no program";
  return Checker(*this, section_.size(), image_bytes, weight_bytes).run();
}

}  // namespace hone::runtime
