// Ansor's annotation on GPUs: which loops run over blocks and threads follows from the sketch alone.
#pragma once
#include "space/annotate/outline.h"

namespace hone::space {

// Appends the binding of loops and the unroll pragmas to the sketch. The splits among them stay as they
// are sampled: a warp of threads, vectors of one element.
schedule::Steps with_threads(const std::shared_ptr<const task::Task>& task,
                             const schedule::Steps& sketch, const Hardware& hardware);

}  // namespace hone::space
