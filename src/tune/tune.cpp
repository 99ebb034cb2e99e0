#include "tune/tune.h"

#include <fmt/format.h>

#include "codegen/version.h"
#include "tune/session.h"

namespace hone::tune {
std::string machine_name(const target::Target& target) {
  return fmt::format("{}, vectors of {} bits, {} thread{}", target.cpu, target.vector_bits,
                     target.cores, target.cores == 1 ? "" : "s");
}

std::string compiler_name() {
  return fmt::format("hone {}, {}", HONE_VERSION, codegen::compiler_version());
}

Summary run(Parts parts, const Options& options, const Listener& listener,
            const std::atomic<bool>& stop) {
  return Session(std::move(parts), options, listener, stop).run();
}

}  // namespace hone::tune
