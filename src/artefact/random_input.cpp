#include "artefact/random_input.h"

#include "worker/inputs.h"

namespace hone::artefact {

model::Tensor random_input(const TensorInfo& info, std::size_t number) {
  constexpr std::uint64_t kSeed = 1;
  model::Tensor tensor = model::Tensor::zeros(info.type, info.shape);
  const auto stream = static_cast<int>(number);
  const std::span<std::byte> bytes = tensor.writable();
  if (ir::is_float(info.type)) {
    worker::fill_random(bytes.data(), tensor.size(), kSeed, stream, info.type);
    return tensor;
  }
  const auto size = static_cast<std::size_t>(ir::size_bytes(info.type));
  for (std::size_t i = 0; i < bytes.size(); i += size) {
    const auto element = static_cast<std::int64_t>(i / size);
    bytes[i] = std::byte(worker::random_value(kSeed, stream, element, ir::Scalar::Bool) != 0);
  }
  return tensor;
}

RandomTensors::RandomTensors(const Session& session) {
  for (const TensorInfo& info : session.inputs()) {
    inputs_.push_back(random_input(info, inputs_.size()));
    in_.push_back({inputs_.back().bytes().data(), inputs_.back().bytes().size()});
  }
  for (const TensorInfo& info : session.outputs()) {
    outputs_.push_back(model::Tensor::zeros(info.type, info.shape));
    const std::span<std::byte> memory = outputs_.back().writable();
    out_.push_back({memory.data(), memory.size()});
  }
}

}  // namespace hone::artefact
