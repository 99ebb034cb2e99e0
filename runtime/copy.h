// Copies of rows between tensors, on all threads when they are large.
#pragma once
#include <cstddef>

#include "runtime/format.h"
#include "runtime/kernel_abi.h"

namespace hone::runtime {

void copy_rows(const CopyRows& copy, const std::byte* from, std::byte* to, const hone_table& table);

}  // namespace hone::runtime
