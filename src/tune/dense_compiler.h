// The networks of cost models are programs like all others: compiled by hone into artefacts.
#pragma once
#include <string>

#include "score/dense.h"
#include "target/target.h"

namespace hone::tune {

struct DenseCompilerOptions {
  target::Target target;  // its cores are the threads that a function spreads rows on
  // Where artefacts are kept for the next time, and what tells them from those of other networks; with
  // no folder they are gone when the process ends.
  std::string folder = {}, key = {};
};

// Compiles a network's graphs; asked for the same graphs in the same order next time, it finds them.
score::CompileDense dense_compiler(const DenseCompilerOptions& options);

}  // namespace hone::tune
