#include "space/hardware.h"

#include <fmt/format.h>

#include <limits>

#include "base/error.h"

namespace hone::space {

Hardware hardware_of(const target::Target& target) {
  Hardware hardware;
  hardware.cores = target.cores;
  hardware.vector_bytes = target.vector_bits / 8;
  if (!target.caches.empty()) hardware.cache_line_bytes = target.caches.front().line_bytes;
  return hardware;
}

Hardware hardware_from(std::span<const std::int64_t> numbers) {
  constexpr std::size_t kNumbers = std::tuple_size_v<decltype(to_numbers({}))>;
  if (numbers.size() != kNumbers) {
    throw UserError(fmt::format("hardware has {} numbers, not {}", kNumbers, numbers.size()));
  }
  std::array<int, kNumbers> n{};
  for (std::size_t i = 0; i < kNumbers; ++i) {
    if (numbers[i] < -1 || numbers[i] > std::numeric_limits<int>::max()) {
      throw UserError(fmt::format("{} is no hardware number", numbers[i]));
    }
    n[i] = static_cast<int>(numbers[i]);
  }
  const auto kind = n[5] > 0 ? Hardware::Kind::Gpu : Hardware::Kind::Cpu;
  return {kind, n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
}

std::array<std::int64_t, 8> to_numbers(const Hardware& h) {
  return {h.cores,           h.vector_bytes, h.cache_line_bytes, h.max_shared_bytes,
          h.max_local_bytes, h.max_threads,  h.max_vthread,      h.warp};
}

}  // namespace hone::space
