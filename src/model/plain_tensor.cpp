#include "model/plain_tensor.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "model/damaged.h"

namespace hone::model {

Tensor plain_tensor(ir::Scalar type, Shape shape, SharedBytes given) {
  check_shape(shape, type);
  const auto width = static_cast<std::size_t>(ir::size_bytes(type));
  const std::size_t expected = static_cast<std::size_t>(elements(shape)) * width;
  if (given.bytes.size() != expected) {
    throw UserError(fmt::format("the shape [{}] asks for {} bytes of data, there are {}",
                                fmt::join(shape, ", "), expected, given.bytes.size()),
                    kExportAgain);
  }
  if (reinterpret_cast<std::uintptr_t>(given.bytes.data()) % width != 0)
    given = keep(std::vector<std::byte>(given.bytes.begin(), given.bytes.end()));
  const auto is_truth = [](std::byte byte) { return byte <= std::byte{1}; };
  if (type == ir::Scalar::Bool && !std::ranges::all_of(given.bytes, is_truth))
    throw UserError("a bool is neither 0 nor 1", kExportAgain);
  return {type, std::move(shape), given.bytes, given.owner};
}

}  // namespace hone::model
