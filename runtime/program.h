// A variant's program where it lies in the file, checked so that running it touches only its own
// memory.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/format.h"

namespace hone::runtime {

class Program {
 public:
  Program() = default;
  // `section` lives longer than the program. Before anything else is asked, `fault` must have found
  // nothing.
  explicit Program(std::span<const std::byte> section) : section_(section) {}

  // What is wrong with it, given the variant's images and the weights; null when nothing is.
  const char* fault(std::size_t image_bytes, std::size_t weight_bytes) const;

  const ProgramHeader& header() const {
    return *reinterpret_cast<const ProgramHeader*>(section_.data());
  }
  std::span<const Port> inputs() const { return entries<Port>(header().inputs); }
  std::span<const Port> outputs() const { return entries<Port>(header().outputs); }
  std::span<const KernelEntry> kernels() const { return entries<KernelEntry>(header().kernels); }
  std::span<const StepEntry> steps() const { return entries<StepEntry>(header().steps); }
  std::span<const Operand> operands(const StepEntry& step) const {
    return entries<Operand>(header().operands).subspan(step.first_operand, step.operand_count);
  }
  std::span<const std::int64_t> dims(const Port& port) const {
    return entries<std::int64_t>(port.dims);
  }
  const char* text(Text text) const {
    return reinterpret_cast<const char*>(section_.data()) + text.offset;
  }

 private:
  template <class Entry>
  std::span<const Entry> entries(Table table) const {
    return {reinterpret_cast<const Entry*>(section_.data() + table.offset), table.count};
  }

  std::span<const std::byte> section_;
};

std::size_t type_bytes(std::uint32_t type);  // of a hone_type; 0 for what is none
std::size_t size_bytes(const Program& program, const Port& port);

}  // namespace hone::runtime
