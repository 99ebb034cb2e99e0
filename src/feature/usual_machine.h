// A machine of which only the eight numbers of a record are known, with the caches that most have.
#pragma once
#include "space/hardware.h"
#include "target/target.h"

namespace hone::feature {

target::Target usual_machine(const space::Hardware& hardware);

}  // namespace hone::feature
