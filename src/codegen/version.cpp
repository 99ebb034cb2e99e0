#include "codegen/version.h"

#include <llvm/Config/llvm-config.h>

namespace hone::codegen {

std::string compiler_version() { return "LLVM " LLVM_VERSION_STRING; }

}  // namespace hone::codegen
