// Bytes that another process can map.
#pragma once
#include <cstddef>
#include <span>

#include "base/descriptor.h"

namespace hone {

// An anonymous file in memory that holds `bytes`. UserError when the system refuses.
Descriptor share(std::span<const std::byte> bytes);

}  // namespace hone
