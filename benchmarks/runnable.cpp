#include "benchmarks/runnable.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace hone::bench {
namespace {

float value_of(std::size_t parameter, std::int64_t element) {
  std::uint64_t x = (static_cast<std::uint64_t>(element) + 1) * 0x9E3779B97F4A7C15ULL +
                    parameter * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 30)) * 0x94D049BB133111EBULL;
  x ^= x >> 31;
  return static_cast<float>(x >> 40) / static_cast<float>(1 << 23) - 1.0F;
}

void fill(const codegen::Parameter& parameter, std::size_t number, float* data) {
  check(parameter.type == ir::kF32, "benchmarks run on float32");
  const std::int64_t n = parameter.size_bytes / 4;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t from =
        parameter.packed ? schedule::source_element(*parameter.packed, parameter.original_shape, i) : i;
    data[i] = from < 0 ? 0.0F : value_of(number, from);
  }
}

}  // namespace

Runnable::Runnable(const codegen::Kernel& kernel, runtime::Pool& pool)
    : kernel_(kernel), image_(kernel.image), table_(pool.table()) {
  check(!image_.empty(), "the system refused to map code");
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const codegen::Parameter& parameter = kernel_.parameters[i];
    memory_.emplace_back(static_cast<std::size_t>(parameter.size_bytes));
    pointers_.push_back(memory_.back().data());
    if (!parameter.is_output) fill(parameter, i, reinterpret_cast<float*>(memory_.back().data()));
  }
  scratch_ = runtime::AlignedBuffer(static_cast<std::size_t>(
      kernel.scratch_bytes + table_.threads * kernel.thread_scratch_bytes + 64));
}

void Runnable::run() {
  const hone_call call{pointers_.data(), scratch_.data(), &table_};
  image_.entry(kernel_.entry)(&call);
}

const float* Runnable::output() const { return reinterpret_cast<const float*>(memory_.back().data()); }
std::int64_t Runnable::output_elements() const { return kernel_.parameters.back().size_bytes / 4; }

double relative_error(const Runnable& a, const Runnable& b) {
  check(a.output_elements() == b.output_elements(), "outputs of one task have one size");
  double largest = 0, error = 0;
  for (std::int64_t i = 0; i < a.output_elements(); ++i) {
    const double difference = std::abs(static_cast<double>(a.output()[i]) - b.output()[i]);
    if (!std::isfinite(difference)) return difference;
    largest = std::max(largest, std::abs(static_cast<double>(b.output()[i])));
    error = std::max(error, difference);
  }
  return largest > 0 ? error / largest : error;
}

}  // namespace hone::bench
