#include "artefact/weights.h"

#include <algorithm>

#include "runtime/checksum.h"
#include "runtime/format.h"

namespace hone::artefact {

std::int64_t Weights::add(const model::Tensor& tensor) {
  const std::span<const std::byte> bytes = tensor.bytes();
  const std::uint64_t key = runtime::checksum(bytes);
  const auto [begin, end] = places_.equal_range(key);
  const auto same = std::find_if(
      begin, end, [&](const auto& known) { return std::ranges::equal(known.second.bytes, bytes); });
  if (same != end) return same->second.offset;
  const std::int64_t offset = end_;
  constexpr auto kUnit = static_cast<std::int64_t>(runtime::kBufferAlignment);
  end_ += (std::ssize(bytes) + kUnit - 1) / kUnit * kUnit;
  places_.insert({key, {bytes, offset}});
  pieces_.push_back(bytes);
  owners_.push_back(tensor);
  return offset;
}

}  // namespace hone::artefact
