// A tensor as a part of a larger one: where its elements lie, and what it takes to copy them.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "artefact/program.h"

namespace hone::artefact {

using Strides = std::vector<std::int64_t>;  // in elements, one a dimension

// Where a tensor's first element is, and how far the next one along each dimension.
struct View {
  Operand begin;
  Strides strides;
};

Strides dense_strides(const model::Shape& shape);

// Whether strides are the same but for dimensions of extent 1, along which nobody goes.
bool same_strides(const model::Shape& shape, const Strides& a, const Strides& b);
bool same_place(const model::Shape& shape, const View& a, const View& b);

// The strides of the same elements in the same order under another shape; none when no strides say it.
std::optional<Strides> reshaped_strides(const model::Shape& shape, const Strides& strides,
                                        const model::Shape& to);

// The part of a tensor that begins at these indices, one a dimension: the strides are the whole's.
View part_of(View whole, const model::Shape& starts, std::int64_t element_bytes);

// The tensor from one place to another, in as few copies of rows as there can be.
std::vector<Copy> copies_of(const model::Shape& shape, const View& from, const View& to,
                            std::int64_t element_bytes);

}  // namespace hone::artefact
