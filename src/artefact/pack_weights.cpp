#include "artefact/pack_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/affinity.h"
#include "base/error.h"
#include "base/parallel.h"

namespace hone::artefact {
namespace {

using codegen::Parameter;

struct Job {
  BufferId original, packed;
  const Parameter* parameter;
};

class Packer {
 public:
  Packer(Program& program, const std::vector<KernelUse>& kernels)
      : program_(program), kernels_(kernels) {}

  void run() {
    for (Step& step : program_.steps) {
      if (auto* call = std::get_if<KernelCall>(&step.action)) read_packed(*call);
    }
    const int threads = static_cast<int>(allowed_cpus().size());
    parallel_for(jobs_.size(), threads, [&](std::size_t i) { pack(jobs_[i]); });
  }

 private:
  void read_packed(KernelCall& call) {
    const auto& parameters = kernels_[static_cast<std::size_t>(call.kernel)].kernel.parameters;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
      if (!parameters[i].packed) continue;
      Operand& operand = call.inputs[i];
      const bool whole = operand.offset_bytes == 0 && operand.stride_bytes == 0;
      if (!whole || !program_.buffer(operand.buffer).constant) {
        fail(fmt::format("{} is read packed, so it must be a weight",
                         program_.buffer(operand.buffer).name));
      }
      operand.buffer = packed(operand.buffer, parameters[i]);
    }
  }

  BufferId packed(BufferId original, const Parameter& parameter) {
    Layout layout;
    for (const auto& dim : parameter.packed->dims)
      layout.emplace_back(dim.axis, dim.extent, dim.stride);
    const auto [known, is_new] = packed_.try_emplace({original, std::move(layout)}, -1);
    if (!is_new) return known->second;
    known->second = static_cast<BufferId>(program_.buffers.size());
    Buffer buffer = program_.buffer(original);
    buffer.name += fmt::format(".packed{}", jobs_.size());
    buffer.size_bytes = parameter.size_bytes;
    program_.buffers.push_back(std::move(buffer));
    jobs_.push_back({original, known->second, &parameter});
    return known->second;
  }

  void pack(const Job& job) {
    const model::Tensor original = *program_.buffer(job.original).constant;
    check(original.size() == model::elements(job.parameter->original_shape),
          "a weight has as many elements as its kernel reads");
    auto bytes = std::make_shared<const std::vector<std::byte>>(
        schedule::pack(*job.parameter->packed, job.parameter->original_shape, original.bytes(),
                       static_cast<std::size_t>(ir::size_bytes(original.type()))));
    program_.buffers[static_cast<std::size_t>(job.packed)].constant =
        model::Tensor(original.type(), job.parameter->packed->shape, *bytes, bytes);
  }

  using Layout = std::vector<std::tuple<int, std::int64_t, std::int64_t>>;

  Program& program_;
  const std::vector<KernelUse>& kernels_;
  std::map<std::pair<BufferId, Layout>, BufferId> packed_;
  std::vector<Job> jobs_;
};

}  // namespace

Program pack_weights(Program program, const std::vector<KernelUse>& kernels) {
  Packer(program, kernels).run();
  return program;
}

}  // namespace hone::artefact
