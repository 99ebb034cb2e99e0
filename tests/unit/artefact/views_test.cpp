// Where parts of tensors lie: every claim against the elements one by one.
#include "artefact/views.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/random.h"

namespace hone::artefact {
namespace {

using model::Shape;

// Where the elements lie, in the order of the tensor.
std::vector<std::int64_t> elements_at(const Shape& shape, const Strides& strides) {
  std::vector<std::int64_t> places = {0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    std::vector<std::int64_t> more;
    for (const std::int64_t place : places) {
      for (std::int64_t i = 0; i < shape[d]; ++i) more.push_back(place + i * strides[d]);
    }
    places = std::move(more);
  }
  return places;
}

Shape random_shape(Random& random) {
  Shape shape;
  for (std::int64_t d = random.below(4); d >= 0; --d) shape.push_back(1 + random.below(4));
  return shape;
}

// Of a part of a larger tensor.
Strides random_strides(Random& random, Shape shape) {
  for (std::int64_t& extent : shape) extent += random.below(3) == 0 ? random.below(3) : 0;
  return dense_strides(shape);
}

// As many elements under another shape: extents are joined, and cut apart again.
Shape random_reshape(Random& random, const Shape& shape) {
  Shape to = {1};
  for (const std::int64_t extent : shape) {
    if (random.below(2) == 0) {
      to.back() *= extent;
    } else {
      to.push_back(extent);
    }
    if (to.back() % 2 == 0 && random.below(3) == 0) {
      to.back() /= 2;
      to.push_back(2);
    }
  }
  return to;
}

TEST(Views, ReshapedStridesWalkTheSameElements) {
  int found = 0, refused = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    Random random(seed, 0);
    const Shape shape = random_shape(random), to = random_reshape(random, shape);
    const Strides strides = random_strides(random, shape);
    const auto reshaped = reshaped_strides(shape, strides, to);
    reshaped ? ++found : ++refused;
    if (reshaped) {
      EXPECT_EQ(elements_at(to, *reshaped), elements_at(shape, strides)) << seed;
    }
    EXPECT_EQ(reshaped_strides(shape, dense_strides(shape), to), dense_strides(to)) << seed;
  }
  EXPECT_GT(found, 500);
  EXPECT_GT(refused, 100);
}

TEST(Views, RowsThatAreJoinedHaveNoStrides) {
  EXPECT_EQ(reshaped_strides({5, 4, 3}, {32, 8, 1}, {20, 3}), (Strides{8, 1}));
  EXPECT_EQ(reshaped_strides({5, 4, 3}, {32, 8, 1}, {5, 2, 2, 3}), (Strides{32, 16, 8, 1}));
  EXPECT_EQ(reshaped_strides({5, 4, 3}, {32, 8, 1}, {60}), std::nullopt);
  EXPECT_EQ(reshaped_strides({5, 4, 3}, {32, 8, 1}, {5, 12}), std::nullopt);
}

TEST(Views, CopiesBringEveryElementToItsPlace) {
  constexpr std::int64_t kElement = 4;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    Random random(seed, 1);
    const Shape shape = random_shape(random);
    const View from{{0, 40}, random_strides(random, shape)}, to{{1, 80}, random_strides(random, shape)};
    std::map<std::int64_t, std::int64_t> moved, wanted;  // bytes, to and from
    for (const Copy& copy : copies_of(shape, from, to, kElement)) {
      for (std::int64_t row = 0; row < copy.rows; ++row) {
        for (std::int64_t b = 0; b < copy.row_bytes; ++b) {
          const auto [place, is_new] =
              moved.try_emplace(copy.to.offset_bytes + row * copy.to_stride_bytes + b,
                                copy.from.offset_bytes + row * copy.from_stride_bytes + b);
          EXPECT_TRUE(is_new) << seed;
        }
      }
    }
    const auto sources = elements_at(shape, from.strides), places = elements_at(shape, to.strides);
    for (std::size_t e = 0; e < places.size(); ++e) {
      for (std::int64_t b = 0; b < kElement; ++b)
        wanted[80 + places[e] * kElement + b] = 40 + sources[e] * kElement + b;
    }
    EXPECT_EQ(moved, wanted) << seed;
  }
}

TEST(Views, RowsAreOneCopy) {
  const Shape shape = {1, 5, 4, 3};
  const std::vector<Copy> rows =
      copies_of(shape, {{0}, dense_strides(shape)}, {{1, 8}, dense_strides({1, 5, 4, 7})}, 4);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].rows, 20);
  EXPECT_EQ(rows[0].row_bytes, 12);
  EXPECT_EQ(rows[0].from_stride_bytes, 12);
  EXPECT_EQ(rows[0].to_stride_bytes, 28);
  EXPECT_EQ(copies_of({5, 0}, {{0}, {0, 1}}, {{1}, {0, 1}}, 4).size(), 0U);
}

}  // namespace
}  // namespace hone::artefact
