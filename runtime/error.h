// How a call of the C API says that it failed: a status, and a message that its thread keeps.
#pragma once
#include "runtime/hone.h"

namespace hone::runtime {

// Keeps the message and gives the status back; the hint may be empty.
[[gnu::format(printf, 3, 4)]] hone_status fail(hone_status status, const char* hint, const char* format,
                                               ...);

}  // namespace hone::runtime
