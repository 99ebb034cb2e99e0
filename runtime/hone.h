/* Runs artefacts: models that `hone tune` or `hone compile` made into one file each.
 *
 *   hone_model* model;
 *   if (hone_open("model.hone", &model) != HONE_OK) { puts(hone_error()); return 1; }
 *   hone_in in = {pixels, sizeof pixels};
 *   hone_out out = {scores, sizeof scores};
 *   hone_run(model, &in, 1, &out, 1);
 *   hone_close(model);
 *
 * Any number of threads may run one model at the same time. Nothing here throws, prints or exits.
 */
#ifndef HONE_HONE_H
#define HONE_HONE_H

#include <stddef.h>
#include <stdint.h>

/* NOLINTBEGIN(modernize-use-using, readability-identifier-naming): this is C */

#ifdef __cplusplus
extern "C" {
#endif

#define HONE_API __attribute__((visibility("default")))

/* What became of a call. All but HONE_OK leave a message for hone_error. */
typedef enum hone_status {
  HONE_OK = 0,
  HONE_WRONG_USE = 1,     /* an argument is not what the model or this header asks for */
  HONE_UNREADABLE = 2,    /* the file cannot be opened or mapped */
  HONE_DAMAGED = 3,       /* it is no artefact, or its bytes are not those that were written */
  HONE_OTHER_VERSION = 4, /* it has a format that this library does not know */
  HONE_OTHER_MACHINE = 5, /* no variant in it runs on this processor */
  HONE_NO_MEMORY = 6,
  HONE_BUSY = 7 /* not while a model is running */
} hone_status;

/* Elements; a bool is a byte of 0 or 1. */
typedef enum hone_type {
  HONE_BOOL = 0,
  HONE_INT8 = 1,
  HONE_INT16 = 2,
  HONE_INT32 = 3,
  HONE_INT64 = 4,
  HONE_UINT8 = 5,
  HONE_UINT16 = 6,
  HONE_UINT32 = 7,
  HONE_UINT64 = 8,
  HONE_FLOAT16 = 9,
  HONE_BFLOAT16 = 10,
  HONE_FLOAT32 = 11,
  HONE_FLOAT64 = 12
} hone_type;

/* An open artefact. */
typedef struct hone_model hone_model;

/* What a model is. Strings and arrays here and below live as long as the model. */
typedef struct hone_description {
  size_t inputs, outputs, steps; /* how many there are */
  int tuned_threads;             /* it runs on any number of threads; on so many it was tuned */
  const char* target;            /* the machine that the chosen variant was made for */
  const char* manifest;          /* JSON: where the model and each of its kernels come from */
  size_t arena_bytes;            /* memory for each execution that is under way at the same time */
  size_t weight_bytes;
} hone_description;

/* An input or output: dense, in row-major order. */
typedef struct hone_tensor {
  const char* name;
  hone_type type;
  size_t rank;
  const int64_t* shape;
  size_t size_bytes;
} hone_tensor;

/* A part of an execution: a call of a kernel, a copy, TopK, or a loop over the steps behind it. */
typedef struct hone_step {
  const char* label;  /* the nodes of the model that it computes */
  const char* kernel; /* or "copy", "topk", "loop" */
  double flop;        /* of one call */
  size_t bytes;       /* of its operands, with the gaps in those that are parts of larger tensors */
} hone_step;

/* Memory of the caller's, aligned to its elements; 64 bytes are best. */
typedef struct hone_in {
  const void* data;
  size_t size_bytes;
} hone_in;
typedef struct hone_out {
  void* data;
  size_t size_bytes;
} hone_out;

/* Maps the file, checks all of it, and chooses the first variant that this processor can run. */
HONE_API hone_status hone_open(const char* path, hone_model** model);
/* Not while the model is running. A null pointer is allowed. */
HONE_API void hone_close(hone_model* model);

HONE_API hone_description hone_describe(const hone_model* model);
HONE_API hone_status hone_input(const hone_model* model, size_t index, hone_tensor* tensor);
HONE_API hone_status hone_output(const hone_model* model, size_t index, hone_tensor* tensor);
HONE_API hone_status hone_step_at(const hone_model* model, size_t index, hone_step* step);

/* Computes all outputs from all inputs, each in the model's order. The sizes must be those of the
 * tensors, and no output may overlap anything else. */
HONE_API hone_status hone_run(hone_model* model, const hone_in* inputs, size_t input_count,
                              const hone_out* outputs, size_t output_count);
/* The same, and adds the nanoseconds of every step to step_ns[step]. */
HONE_API hone_status hone_profile(hone_model* model, const hone_in* inputs, size_t input_count,
                                  const hone_out* outputs, size_t output_count, int64_t* step_ns);

/* Threads on which every model of this process runs; at first all processors that it may use. 0 asks
 * for that again. Results do not depend on it. HONE_BUSY while a model is running. */
HONE_API hone_status hone_set_threads(int threads);
HONE_API int hone_threads(void);

/* Of the last call on this thread that failed: what was wrong, and what to do about it (or ""). */
HONE_API const char* hone_error(void);
HONE_API const char* hone_hint(void);

#ifdef __cplusplus
}
#endif

/* NOLINTEND(modernize-use-using, readability-identifier-naming) */
#endif
