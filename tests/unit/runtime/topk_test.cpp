#include "runtime/topk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "runtime/hone.h"

namespace hone::runtime {
namespace {

template <class T>
void expect_best(const TopKOf& topk, const std::vector<T>& elements) {
  const auto kept = static_cast<std::size_t>(topk.outer * topk.k * topk.inner);
  std::vector<T> values(kept);
  std::vector<std::int64_t> places(kept);
  top_k(topk, reinterpret_cast<const std::byte*>(elements.data()),
        reinterpret_cast<std::byte*>(values.data()), reinterpret_cast<std::byte*>(places.data()));
  for (std::int64_t outer = 0; outer < topk.outer; ++outer) {
    for (std::int64_t inner = 0; inner < topk.inner; ++inner) {
      const auto element = [&](std::int64_t i) {
        return elements[static_cast<std::size_t>((outer * topk.extent + i) * topk.inner + inner)];
      };
      std::vector<std::int64_t> order(static_cast<std::size_t>(topk.extent));
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return topk.largest != 0 ? element(a) > element(b) : element(a) < element(b);
      });
      for (std::int64_t k = 0; k < topk.k; ++k) {
        const auto slot = static_cast<std::size_t>((outer * topk.k + k) * topk.inner + inner);
        ASSERT_EQ(places[slot], order[static_cast<std::size_t>(k)]);
        ASSERT_EQ(values[slot], element(places[slot]));
      }
    }
  }
}

TEST(TopK, IsASortCutShort) {
  std::vector<float> floats;
  std::vector<std::int8_t> bytes;
  for (std::uint32_t i = 0; i < 3 * 50 * 4; ++i) {
    const auto value = static_cast<std::int8_t>((i * 2654435761U) >> 24);
    bytes.push_back(value % 20);  // many equals: the first of them comes first
    floats.push_back(static_cast<float>(value) * 0.25F);
  }
  for (const std::int64_t k : {0, 1, 2, 7, 49, 50}) {
    for (const std::uint32_t largest : {0U, 1U}) {
      expect_best<float>({3, 50, 4, k, HONE_FLOAT32, largest}, floats);
      expect_best<std::int8_t>({3, 50, 4, k, HONE_INT8, largest}, bytes);
      expect_best<std::int8_t>({12, 50, 1, k, HONE_INT8, largest}, bytes);
    }
  }
}

}  // namespace
}  // namespace hone::runtime
