// Candidates that are not worth building: tiles that spill, temporaries that no cache holds.
#pragma once
#include <cstdint>

#include "target/target.h"

namespace hone::space {

// What a candidate asks of the machine. It stays a member of the space whatever this says: records of
// others are read, but sampling and search leave it out.
struct Usage {
  std::int64_t accumulators = 0;   // vector registers that the largest register tile needs
  std::int64_t scratch_bytes = 0;  // of the largest buffer that is filled inside a loop
};
bool fits(const Usage& usage, const target::Target& target);

}  // namespace hone::space
