// How generated code is called: plain C, no symbols, everything arrives by pointer.
#pragma once
#include <stdint.h>

// NOLINTBEGIN(modernize-use-using): this is C

#ifdef __cplusplus
extern "C" {
#endif

// A slice [begin, end) of a parallel loop, run on thread `thread` of the region.
typedef void (*hone_body)(void* context, int64_t begin, int64_t end, int64_t thread);

// What a kernel may ask of its caller.
typedef struct hone_table {
  // Runs body over [0, extent) on all threads of the pool and returns when every slice is done.
  void (*parallel)(const struct hone_table* table, hone_body body, void* context, int64_t extent);
  void* pool;
  int64_t threads;  // slices never see a thread number at or above this
} hone_table;

typedef struct hone_call {
  void* const* buffers;  // one a parameter, in the kernel's order, each aligned to its elements
  void* scratch;         // scratch_bytes + threads * thread_scratch_bytes, 64-byte aligned
  const hone_table* table;
} hone_call;

// The entry of a kernel image.
typedef void (*hone_entry)(const hone_call* call);

#ifdef __cplusplus
}
#endif
// NOLINTEND(modernize-use-using)
