// What the processor can do, asked without any file.
#pragma once
#include <cstddef>

#include "runtime/format.h"

namespace hone::runtime {

Architecture architecture();

// The first of `features` (LLVM's words, separated by spaces) that this processor lacks or that are not
// known here, into `word`; false when it has them all.
bool lacks_feature(const char* features, char* word, std::size_t word_size);

}  // namespace hone::runtime
