#include "artefact/c_frame.h"

namespace hone::artefact {
namespace {

constexpr const char* kHeader = R"(/* The model NAME, made by hone.
 *
 *   NAME_model* model = NAME_create(2);
 *   const void* inputs[] = {pixels};
 *   void* outputs[] = {scores};
 *   NAME_run(model, inputs, outputs);
 *   NAME_destroy(model);
 */
#ifndef HONE_MODEL_NAME_H
#define HONE_MODEL_NAME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An input or output: dense, in row-major order. */
typedef struct NAME_tensor {
  const char* name;
  const char* type; /* "float32", "int64", ...; a bool is a byte of 0 or 1 */
  size_t rank;
  const int64_t* shape;
  size_t size_bytes;
} NAME_tensor;

enum { NAME_inputs = INPUTS, NAME_outputs = OUTPUTS };
extern const NAME_tensor NAME_input[];
extern const NAME_tensor NAME_output[];

typedef struct NAME_model NAME_model;

/* Memory and threads to run the model with. Null when there is not enough memory, or when the processor
 * lacks instructions that the model was compiled to. */
NAME_model* NAME_create(int threads);
void NAME_destroy(NAME_model* model);

/* Computes all outputs from all inputs. One call at a time for each model that was created. */
void NAME_run(NAME_model* model, const void* const* inputs, void* const* outputs);

#ifdef __cplusplus
}
#endif
#endif
)";

// Every thread has an equal part. Waking a sleeper takes tens of microseconds, so threads stay awake
// over the gaps inside one execution.
constexpr const char* kPool = R"(
struct pool {
  struct member { struct pool* pool; int64_t number; pthread_t thread; }* members;
  int64_t threads;
  hone_body body;
  void* context;
  int64_t extent;
  atomic_uint region, done;
  atomic_int stopping;
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

static void run_part(struct pool* pool, int64_t number) {
  const int64_t share = pool->extent / pool->threads, longer = pool->extent % pool->threads;
  const int64_t begin = number * share + (number < longer ? number : longer);
  const int64_t end = begin + share + (number < longer);
  if (begin < end) pool->body(pool->context, begin, end, number);
}

static void* work(void* argument) {
  struct member* self = argument;
  struct pool* pool = self->pool;
  for (unsigned seen = 0;; ++seen) {
    for (int i = 0; i < 20000 && atomic_load(&pool->region) == seen; ++i) __asm__ volatile(RELAX);
    pthread_mutex_lock(&pool->mutex);
    while (atomic_load(&pool->region) == seen) pthread_cond_wait(&pool->changed, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
    if (atomic_load(&pool->stopping)) return 0;
    run_part(pool, self->number);
    atomic_fetch_add(&pool->done, 1);
  }
}

static void begin_region(struct pool* pool) {
  pthread_mutex_lock(&pool->mutex);
  atomic_fetch_add(&pool->region, 1);
  pthread_cond_broadcast(&pool->changed);
  pthread_mutex_unlock(&pool->mutex);
}

static void parallel(const struct hone_table* table, hone_body body, void* context, int64_t extent) {
  struct pool* pool = table->pool;
  if (pool->threads == 1 || extent == 1) {
    body(context, 0, extent, 0);
    return;
  }
  pool->body = body, pool->context = context, pool->extent = extent;
  atomic_store(&pool->done, 0);
  begin_region(pool);
  run_part(pool, 0);
  while (atomic_load(&pool->done) + 1 < pool->threads) sched_yield();
}

static int start(struct pool* pool, int threads) {
  pthread_mutex_init(&pool->mutex, 0);
  pthread_cond_init(&pool->changed, 0);
  pool->threads = 1;
  pool->members = calloc(threads, sizeof *pool->members);
  if (pool->members == 0) return 0;
  for (int i = 1; i < threads; ++i) {
    pool->members[i] = (struct member){pool, i, 0};
    if (pthread_create(&pool->members[i].thread, 0, work, &pool->members[i]) != 0) break;
    pool->threads = i + 1;
  }
  return 1;
}

static void stop(struct pool* pool) {
  atomic_store(&pool->stopping, 1);
  begin_region(pool);
  for (int64_t i = 1; i < pool->threads; ++i) pthread_join(pool->members[i].thread, 0);
  free(pool->members);
}
)";

// The best first; among equals the one that comes first. The outputs are kept sorted.
constexpr const char* kTopK = R"(
static void top_k_TYPE(const TYPE* from, TYPE* values, int64_t* places, int64_t outer, int64_t extent,
                       int64_t inner, int64_t k, int largest) {
  for (int64_t lane = 0; lane < outer * inner; ++lane) {
    const TYPE* x = from + lane / inner * extent * inner + lane % inner;
    TYPE* best = values + lane / inner * k * inner + lane % inner;
    int64_t* place = places + lane / inner * k * inner + lane % inner;
    for (int64_t i = 0; i < extent; ++i) {
      const TYPE element = x[i * inner];
      int64_t slot = i < k ? i : k;
      while (slot > 0 && (largest ? best[(slot - 1) * inner] < element : element < best[(slot - 1) * inner])) {
        --slot;
        if (slot + 1 < k) best[(slot + 1) * inner] = best[slot * inner], place[(slot + 1) * inner] = place[slot * inner];
      }
      if (slot < k) best[slot * inner] = element, place[slot * inner] = i;
    }
  }
}
)";

constexpr const char* kModel = R"(
struct NAME_model {
  char *arena, *scratch;
  struct pool pool;
  struct hone_table table;
};

NAME_model* NAME_create(int threads) {
  if (threads < 1 || !can_run()) return 0;
  NAME_model* model = calloc(1, sizeof *model);
  if (model == 0) return 0;
  model->arena = aligned_alloc(64, ARENA_BYTES);
  model->scratch = aligned_alloc(64, SCRATCH_BYTES + (size_t)threads * THREAD_SCRATCH_BYTES);
  if (model->arena == 0 || model->scratch == 0 || !start(&model->pool, threads)) {
    free(model->arena);
    free(model->scratch);
    free(model);
    return 0;
  }
  model->table = (struct hone_table){parallel, &model->pool, model->pool.threads};
  return model;
}

void NAME_destroy(NAME_model* model) {
  if (model == 0) return;
  stop(&model->pool);
  free(model->arena);
  free(model->scratch);
  free(model);
}
)";

std::string with(std::string text, const std::string& word, const std::string& value) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += value.size())
    text.replace(at, word.size(), value);
  return text;
}

}  // namespace

std::string c_header_frame(const std::string& name, std::size_t inputs, std::size_t outputs) {
  const std::string counted =
      with(with(kHeader, "INPUTS", std::to_string(inputs)), "OUTPUTS", std::to_string(outputs));
  return with(counted, "NAME", name);
}

std::string c_pool() {
  return std::string(
             "\n#if defined(__x86_64__)\n#define RELAX \"pause\"\n#else\n#define RELAX \"yield\"\n"
             "#endif\n") +
         kPool;
}

std::string c_top_k(const std::string& type) { return with(kTopK, "TYPE", type); }

std::string c_model_frame(const std::string& name) { return with(kModel, "NAME", name); }

}  // namespace hone::artefact
