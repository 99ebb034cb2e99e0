// The rules of programs.
#pragma once
#include "artefact/artefact.h"

namespace hone::artefact {

// InternalError when an operand does not fit its parameter or lies outside of its buffer, when
// something is read that nobody wrote or written that may not be, or when an output is left unwritten.
void verify(const Variant& variant);

// The bytes of a step's operands, in the order of accesses_of.
std::vector<std::int64_t> operand_bytes(const Step& step, const std::vector<KernelUse>& kernels);

}  // namespace hone::artefact
