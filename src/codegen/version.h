// Which compiler makes the kernels, for reports.
#pragma once
#include <string>

namespace hone::codegen {

std::string compiler_version();  // "LLVM 19.1.7"

}  // namespace hone::codegen
