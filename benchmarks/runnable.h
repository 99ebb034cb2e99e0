// A kernel with buffers of its own in this process, ready to be called and timed.
#pragma once
#include <vector>

#include "codegen/kernel.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/pool.h"

namespace hone::bench {

class Runnable {
 public:
  // Inputs are uniform in [-1, 1) and depend on the parameter and element only, so that two kernels of
  // one task get the same; packed operands are packed from them.
  Runnable(const codegen::Kernel& kernel, runtime::Pool& pool);
  void run();
  const float* output() const;
  std::int64_t output_elements() const;

 private:
  codegen::Kernel kernel_;
  runtime::Image image_;
  hone_table table_;
  std::vector<runtime::AlignedBuffer> memory_;
  std::vector<void*> pointers_;
  runtime::AlignedBuffer scratch_;
};

// Largest |a - b| relative to the largest |b|.
double relative_error(const Runnable& a, const Runnable& b);

}  // namespace hone::bench
