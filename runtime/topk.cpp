#include "runtime/topk.h"

#include <string.h>

#include <bit>
#include <cstdint>
#include <utility>

#include "runtime/hone.h"

namespace hone::runtime {
namespace {

struct BFloat16 {
  std::uint16_t bits;
  friend bool operator<(BFloat16 a, BFloat16 b) { return a.value() < b.value(); }
  float value() const { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};

// One lane of the axis. The outputs hold a heap whose first is the worst of those kept, so that memory
// is needed for nothing else.
template <class T>
class Lane {
 public:
  Lane(const TopKOf& topk, const T* from, T* values, std::int64_t* places)
      : topk_(topk), from_(from), values_(values), places_(places) {}

  void run() {
    for (std::int64_t i = 0; i < topk_.k; ++i) set(i, i);
    for (std::int64_t i = topk_.k / 2; i-- > 0;) sink(i, topk_.k);
    for (std::int64_t i = topk_.k; topk_.k > 0 && i < topk_.extent; ++i) {
      if (!is_better(i, place(0))) continue;
      set(0, i);
      sink(0, topk_.k);
    }
    for (std::int64_t end = topk_.k; end-- > 1;) {
      const std::int64_t worst = place(0);
      set(0, place(end));
      set(end, worst);
      sink(0, end);
    }
  }

 private:
  std::int64_t place(std::int64_t slot) const { return places_[slot * topk_.inner]; }
  T element(std::int64_t i) const { return from_[i * topk_.inner]; }
  void set(std::int64_t slot, std::int64_t from_place) {
    values_[slot * topk_.inner] = element(from_place);
    places_[slot * topk_.inner] = from_place;
  }
  bool is_better(std::int64_t a, std::int64_t b) const {
    const T x = element(a), y = element(b);
    if (x < y) return topk_.largest == 0;
    if (y < x) return topk_.largest != 0;
    return a < b;
  }
  // Restores the heap of `size` slots whose slot `slot` may be too good for its place.
  void sink(std::int64_t slot, std::int64_t size) {
    for (std::int64_t child = 2 * slot + 1; child < size; child = 2 * slot + 1) {
      if (child + 1 < size && is_better(place(child), place(child + 1))) ++child;
      if (!is_better(place(slot), place(child))) return;
      const std::int64_t moved = place(slot);
      set(slot, place(child));
      set(child, moved);
      slot = child;
    }
  }

  const TopKOf& topk_;
  const T* from_;
  T* values_;
  std::int64_t* places_;
};

template <class T>
void run(const TopKOf& topk, const std::byte* elements, std::byte* values, std::byte* places) {
  for (std::int64_t outer = 0; outer < topk.outer; ++outer) {
    for (std::int64_t inner = 0; inner < topk.inner; ++inner) {
      const std::int64_t kept = outer * topk.k * topk.inner + inner;
      Lane<T>(topk, reinterpret_cast<const T*>(elements) + outer * topk.extent * topk.inner + inner,
              reinterpret_cast<T*>(values) + kept, reinterpret_cast<std::int64_t*>(places) + kept)
          .run();
    }
  }
}

}  // namespace

void top_k(const TopKOf& topk, const std::byte* elements, std::byte* values, std::byte* places) {
  switch (static_cast<hone_type>(topk.type)) {
    case HONE_BOOL:
    case HONE_UINT8:
      return run<std::uint8_t>(topk, elements, values, places);
    case HONE_INT8:
      return run<std::int8_t>(topk, elements, values, places);
    case HONE_INT16:
      return run<std::int16_t>(topk, elements, values, places);
    case HONE_INT32:
      return run<std::int32_t>(topk, elements, values, places);
    case HONE_INT64:
      return run<std::int64_t>(topk, elements, values, places);
    case HONE_UINT16:
      return run<std::uint16_t>(topk, elements, values, places);
    case HONE_UINT32:
      return run<std::uint32_t>(topk, elements, values, places);
    case HONE_UINT64:
      return run<std::uint64_t>(topk, elements, values, places);
    case HONE_FLOAT16:
      return run<_Float16>(topk, elements, values, places);
    case HONE_BFLOAT16:
      return run<BFloat16>(topk, elements, values, places);
    case HONE_FLOAT32:
      return run<float>(topk, elements, values, places);
    case HONE_FLOAT64:
      return run<double>(topk, elements, values, places);
  }
}

}  // namespace hone::runtime
