#include "kernels/raw_kernels.h"

#include <map>
#include <string>

#include "base/error.h"
#include "runtime/kernel_abi.h"

// Each kernel has a section of its own: its bytes, which the linker brackets with two symbols, are an
// image as long as the code needs no constants and calls nothing outside.
#define HONE_IN(section_name) __attribute__((section("kernel_" #section_name), noinline, used))
#define HONE_KERNEL(name)                             \
  extern "C" const std::byte __start_kernel_##name[]; \
  extern "C" const std::byte __stop_kernel_##name[];  \
  extern "C" HONE_IN(name) void raw_##name(const hone_call* call)

namespace {

constexpr std::int64_t kCount = hone::test::kElements;

[[gnu::always_inline]] inline float* buffer(const hone_call* call, int index) {
  return static_cast<float*>(call->buffers[index]);
}

}  // namespace

HONE_KERNEL(add) {
  for (std::int64_t i = 0; i < kCount; ++i)
    buffer(call, 2)[i] = buffer(call, 0)[i] + buffer(call, 1)[i];
}

HONE_KERNEL(subtract) {
  for (std::int64_t i = 0; i < kCount; ++i)
    buffer(call, 2)[i] = buffer(call, 0)[i] - buffer(call, 1)[i];
}

HONE_KERNEL(forget_last) {
  for (std::int64_t i = 0; i < kCount - 1; ++i)
    buffer(call, 2)[i] = buffer(call, 0)[i] + buffer(call, 1)[i];
}

HONE_KERNEL(add_slowly) {
  for (int round = 0; round < 10000; ++round) {
    for (std::int64_t i = 0; i < kCount; ++i)
      buffer(call, 2)[i] = buffer(call, 0)[i] + buffer(call, 1)[i];
    asm volatile("" ::: "memory");
  }
}

HONE_KERNEL(add_packed) {
  const float* packed = buffer(call, 1);
  for (std::int64_t i = 0; i < kCount; ++i) {
    buffer(call, 2)[i] = buffer(call, 0)[i] + packed[(i % 2) * (kCount / 2) + i / 2];
  }
}

HONE_KERNEL(use_scratch) {
  auto* scratch = static_cast<float*>(call->scratch);
  for (std::int64_t i = 0; i < kCount; ++i) scratch[i] = buffer(call, 1)[i];
  for (std::int64_t i = 0; i < kCount; ++i) buffer(call, 2)[i] = buffer(call, 0)[i] + scratch[i];
}

extern "C" HONE_IN(add_parallel) void raw_add_slice(void* context, std::int64_t begin, std::int64_t end,
                                                    std::int64_t) {
  const auto* call = static_cast<const hone_call*>(context);
  for (std::int64_t i = begin; i < end; ++i)
    buffer(call, 2)[i] = buffer(call, 0)[i] + buffer(call, 1)[i];
}
HONE_KERNEL(add_parallel) {
  call->table->parallel(call->table, &raw_add_slice, const_cast<hone_call*>(call), kCount);
}

extern "C" HONE_IN(crash_on_thread_1) void raw_crash_slice(void*, std::int64_t, std::int64_t,
                                                           std::int64_t thread) {
  if (thread == 1) __builtin_trap();
  constexpr int kLong = 100'000'000;  // until thread 1 has come for its own piece
  for (int i = 0; i < kLong; ++i) asm volatile("");
}
HONE_KERNEL(crash_on_thread_1) { call->table->parallel(call->table, &raw_crash_slice, nullptr, 2); }

HONE_KERNEL(crash) {
  if (call != nullptr) __builtin_trap();
}

HONE_KERNEL(hang) {
  while (call != nullptr) asm volatile("");
}

HONE_KERNEL(write_behind) { buffer(call, 2)[kCount] = buffer(call, 0)[0]; }
HONE_KERNEL(write_far_behind) { buffer(call, 2)[kCount + 100] = buffer(call, 0)[0]; }
HONE_KERNEL(write_before) { buffer(call, 2)[-1] = buffer(call, 0)[0]; }
HONE_KERNEL(write_input) { buffer(call, 0)[0] = buffer(call, 1)[0]; }

namespace hone::test {
namespace {

struct Raw {
  const std::byte *begin, *end;
  void (*entry)(const hone_call*);
};

#define HONE_LISTED(name)                                                   \
  {                                                                         \
    #name, Raw { __start_kernel_##name, __stop_kernel_##name, &raw_##name } \
  }
const std::map<std::string_view, Raw> kKernels = {
    HONE_LISTED(add),          HONE_LISTED(subtract),          HONE_LISTED(forget_last),
    HONE_LISTED(add_slowly),   HONE_LISTED(add_packed),        HONE_LISTED(use_scratch),
    HONE_LISTED(add_parallel), HONE_LISTED(crash_on_thread_1), HONE_LISTED(crash),
    HONE_LISTED(hang),         HONE_LISTED(write_behind),      HONE_LISTED(write_far_behind),
    HONE_LISTED(write_before), HONE_LISTED(write_input)};

codegen::Parameter parameter(const char* name, bool is_output) {
  codegen::Parameter result;
  result.name = name;
  result.type = ir::kF32;
  result.shape = {kElements};
  result.strides = {1};
  result.is_output = is_output;
  result.size_bytes = kElements * 4;
  return result;
}

}  // namespace

codegen::Kernel raw_kernel(std::string_view name) {
  const auto found = kKernels.find(name);
  check(found != kKernels.end(), "a kernel of that name");
  const Raw& raw = found->second;
  codegen::Kernel kernel;
  kernel.name = name;
  kernel.image.assign(raw.begin, raw.end);
  kernel.entry = static_cast<std::uint64_t>(reinterpret_cast<const std::byte*>(raw.entry) - raw.begin);
  kernel.parameters = {parameter("A", false), parameter("W", false), parameter("C", true)};
  if (name == "use_scratch") kernel.scratch_bytes = kElements * 4;
  if (name == "add_packed") {
    // Element (i, j) of the packed operand is element i + 2 j of the original.
    kernel.parameters[1].packed =
        schedule::PackedLayout{{{0, 2, 1}, {0, kElements / 2, 2}}, {2, kElements / 2}};
    kernel.parameters[1].original_shape = {kElements};
  }
  return kernel;
}

}  // namespace hone::test
