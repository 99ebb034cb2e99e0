#include "cli/artefact_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "runtime/format.h"
#include "worker/inputs.h"

namespace hone::cli {

bool is_artefact(const std::string& file) {
  std::array<char, sizeof runtime::kMagic> begin{};
  std::ifstream(file, std::ios::binary).read(begin.data(), begin.size());
  return file.ends_with(".hone") || std::ranges::equal(begin, runtime::kMagic);
}

artefact::Session open_artefact(const std::string& file, int threads) {
  artefact::Session session(file);
  artefact::set_threads(threads);
  const int tuned = session.about().tuned_threads;
  if (tuned != hone_threads()) {
    fmt::print(stderr, "note: {} was made for {} thread{} and runs on {}\n", file, tuned,
               tuned == 1 ? "" : "s", hone_threads());
  }
  return session;
}

model::Tensor random_input(const artefact::TensorInfo& info, std::size_t number) {
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

}  // namespace hone::cli
