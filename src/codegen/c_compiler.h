// The system's C compiler.
#pragma once
#include <string>
#include <vector>

#include "target/target.h"

namespace hone::codegen {

// What the C that hone prints is to be compiled with for a machine: "-O3", "-mavx2", ...
std::vector<std::string> c_options(const target::Target& target);

// $HONE_CC, or the one that the system calls its own, or the cross compiler for another machine.
// UserError when there is none, or when it fails on `what`.
void run_c_compiler(const target::Target& target, const std::vector<std::string>& arguments,
                    const std::string& what);

}  // namespace hone::codegen
