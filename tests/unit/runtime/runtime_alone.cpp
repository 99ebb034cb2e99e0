// Uses every part of the runtime and exits with 0 when all of it worked; see alone_test.cpp.
#include <stdint.h>

#include "runtime/hone.h"
#include "runtime/image.h"
#include "runtime/memory.h"
#include "runtime/pool.h"

namespace {

void count(void* counts, int64_t begin, int64_t end, int64_t thread) {
  static_cast<int64_t*>(counts)[thread] += end - begin;
}

}  // namespace

int main() {
  using namespace hone::runtime;
  Pool pool({.threads = 2});
  const hone_table table = pool.table();
  int64_t counts[2] = {};
  for (int i = 0; i < 100; ++i) table.parallel(&table, &count, counts, 10);
  if (counts[0] + counts[1] != 1000) return 1;

  AlignedBuffer large(size_t{4} << 20);
  GuardedBuffer guarded(1000);
  if (large.data() == nullptr || guarded.data() == nullptr || guarded.damage() != Damage::None)
    return 2;

  const std::byte code[64] = {};
  if (Image(code).empty()) return 3;

  hone_model* model;
  if (hone_open("/there is no such artefact", &model) != HONE_UNREADABLE) return 4;
  return hone_threads() > 0 && *hone_error() != '\0' ? 0 : 5;
}
