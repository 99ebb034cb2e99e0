#include "artefact/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/match.h"

namespace hone::artefact {
namespace {

class Verifier {
 public:
  explicit Verifier(const Variant& variant)
      : program_(variant.program),
        kernels_(variant.kernels),
        written_(program_.buffers.size(), false) {}

  void run() {
    for (const Buffer& buffer : program_.buffers) check_buffer(buffer);
    const std::vector<int> around = loops_around(program_);
    for (std::size_t i = 0; i < program_.steps.size(); ++i) {
      where_ = fmt::format("step {} ({})", i, program_.steps[i].label);
      const bool in_loop = around[i] >= 0;
      require(!in_loop || !std::holds_alternative<Loop>(program_.steps[i].action), "a loop in a loop");
      const std::int64_t trips =
          in_loop ? std::get<Loop>(program_.steps[static_cast<std::size_t>(around[i])].action).trips
                  : 1;
      check_step(program_.steps[i], trips);
    }
    for (const BufferId output : program_.outputs) {
      where_ = "output " + program_.buffer(output).name;
      require(written_[static_cast<std::size_t>(output)] || program_.buffer(output).size_bytes == 0,
              "nobody writes it");
    }
  }

 private:
  void require(bool ok, const char* what) const {
    if (!ok) fail(fmt::format("program: {}: {}", where_, what));
  }

  void check_buffer(const Buffer& buffer) {
    where_ = "buffer " + buffer.name;
    require(buffer.size_bytes >= 0, "it has a size");
    if (buffer.parent >= 0) {
      const Buffer& parent = program_.buffer(buffer.parent);
      require(&parent < &buffer && parent.place == buffer.place, "a view comes behind what it is in");
      require(buffer.offset_bytes >= 0 && buffer.offset_bytes + buffer.size_bytes <= parent.size_bytes,
              "a view lies inside of its parent");
    } else {
      require((buffer.place == Place::Weight) == buffer.constant.has_value(), "weights have elements");
    }
  }

  void check_step(const Step& step, std::int64_t trips) {
    if (const auto* call = std::get_if<KernelCall>(&step.action)) {
      require(call->kernel >= 0 && call->kernel < std::ssize(kernels_), "it calls a kernel");
      const auto& parameters = kernels_[static_cast<std::size_t>(call->kernel)].kernel.parameters;
      const auto outputs = std::ranges::count_if(parameters, &codegen::Parameter::is_output);
      require(std::ssize(call->outputs) == outputs &&
                  std::ssize(call->inputs) == std::ssize(parameters) - outputs,
              "a call has an operand for each parameter");
    }
    const std::vector<std::int64_t> sizes = operand_bytes(step, kernels_);
    std::vector<Access> accesses = accesses_of(step);
    for (std::size_t i = 0; i < accesses.size(); ++i) check_access(accesses[i], sizes[i], trips);
    for (const Access& access : accesses) {
      if (access.is_written) written_[root(access)] = true;
    }
  }

  std::size_t root(const Access& access) const {
    return static_cast<std::size_t>(root_of(program_, access.operand.buffer).buffer);
  }

  void check_access(const Access& access, std::int64_t bytes, std::int64_t trips) const {
    const Operand& operand = access.operand;
    require(operand.buffer >= 0 && operand.buffer < std::ssize(program_.buffers),
            "an operand is known");
    const Buffer& buffer = program_.buffer(operand.buffer);
    const std::int64_t last =
        operand.offset_bytes + operand.stride_bytes * std::max<std::int64_t>(trips - 1, 0);
    require(std::min(operand.offset_bytes, last) >= 0 &&
                std::max(operand.offset_bytes, last) + bytes <= buffer.size_bytes,
            "operands lie inside of their buffers");
    const bool constant = buffer.place == Place::Input || buffer.place == Place::Weight;
    require(!access.is_written || !constant, "inputs and weights are not written");
    require(access.is_written || constant || written_[root(access)], "what is read was written before");
  }

  const Program& program_;
  const std::vector<KernelUse>& kernels_;
  std::vector<bool> written_;  // of roots
  std::string where_;
};

std::int64_t rows_bytes(const Copy& copy, std::int64_t stride_bytes) {
  return copy.rows == 0 ? 0 : (copy.rows - 1) * stride_bytes + copy.row_bytes;
}

}  // namespace

std::vector<std::int64_t> operand_bytes(const Step& step, const std::vector<KernelUse>& kernels) {
  return match(
      step.action,
      [&](const KernelCall& call) {
        std::vector<std::int64_t> bytes;
        for (const auto& parameter : kernels[static_cast<std::size_t>(call.kernel)].kernel.parameters) {
          bytes.push_back(parameter.size_bytes);
        }
        return bytes;
      },
      [](const Copy& copy) {
        return std::vector{rows_bytes(copy, copy.from_stride_bytes),
                           rows_bytes(copy, copy.to_stride_bytes)};
      },
      [](const TopK& topk) {
        const std::int64_t lanes = topk.outer * topk.inner, element = ir::size_bytes(topk.type);
        return std::vector{lanes * topk.extent * element, lanes * topk.k * element,
                           lanes * topk.k * ir::size_bytes(ir::Scalar::I64)};
      },
      [](const Loop&) { return std::vector<std::int64_t>(); });
}

void verify(const Variant& variant) { Verifier(variant).run(); }

}  // namespace hone::artefact
