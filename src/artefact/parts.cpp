#include "artefact/parts.h"

namespace hone::artefact {

std::vector<Part> parts_of(const graph::Concat& concat, const std::vector<model::Shape>& inputs,
                           std::int64_t element_bytes) {
  std::vector<Part> parts;
  std::int64_t stride_bytes = 0;
  const auto axis = static_cast<std::size_t>(concat.axis);
  for (const model::Shape& shape : inputs) {
    Part part{.offset_bytes = stride_bytes, .row_bytes = element_bytes};
    for (std::size_t d = 0; d < shape.size(); ++d) (d < axis ? part.rows : part.row_bytes) *= shape[d];
    stride_bytes += part.row_bytes;
    parts.push_back(part);
  }
  for (Part& part : parts) part.stride_bytes = stride_bytes;
  return parts;
}

}  // namespace hone::artefact
