// Two machines that tests of the space share: those of TVM's own tests.
#pragma once
#include "space/hardware.h"

namespace hone::space {

inline Hardware four_cores() {
  Hardware hardware;
  hardware.cores = 4;
  return hardware;
}

inline Hardware volta() { return {Hardware::Kind::Gpu, -1, 16, 64, 49152, 2147483647, 1024, 8, 32}; }

}  // namespace hone::space
