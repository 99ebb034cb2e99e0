#include "artefact/views.h"

#include <ranges>

namespace hone::artefact {
namespace {

// Dimensions that are walked as one, with the steps of both sides of a copy.
struct Run {
  std::int64_t extent, from_stride, to_stride;
};

// Outermost first; a dimension joins the next one where both sides go on without a gap.
std::vector<Run> runs_of(const model::Shape& shape, const Strides& from, const Strides& to) {
  std::vector<Run> runs;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] == 1) continue;
    const Run run{shape[d], from[d], to[d]};
    const bool joins = !runs.empty() && runs.back().from_stride == run.extent * run.from_stride &&
                       runs.back().to_stride == run.extent * run.to_stride;
    if (joins) {
      runs.back() = {runs.back().extent * run.extent, run.from_stride, run.to_stride};
    } else {
      runs.push_back(run);
    }
  }
  return runs;
}

}  // namespace

Strides dense_strides(const model::Shape& shape) {
  Strides strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

bool same_strides(const model::Shape& shape, const Strides& a, const Strides& b) {
  for (std::size_t d = 0; d < shape.size(); ++d) {
    if (shape[d] != 1 && a[d] != b[d]) return false;
  }
  return true;
}

bool same_place(const model::Shape& shape, const View& a, const View& b) {
  return a.begin == b.begin && same_strides(shape, a.strides, b.strides);
}

std::optional<Strides> reshaped_strides(const model::Shape& shape, const Strides& strides,
                                        const model::Shape& to) {
  std::vector<Run> runs = runs_of(shape, strides, strides);
  Strides result;
  std::int64_t left = 1, stride = 1;  // of the run that is being divided up
  for (const std::int64_t extent : to | std::views::reverse) {
    if (extent != 1 && left == 1 && !runs.empty()) {
      left = runs.back().extent;
      stride = runs.back().from_stride;
      runs.pop_back();
    }
    if (left % extent != 0) return std::nullopt;
    result.insert(result.begin(), stride);
    left /= extent;
    stride *= extent;
  }
  return result;
}

View part_of(View whole, const model::Shape& starts, std::int64_t element_bytes) {
  for (std::size_t d = 0; d < starts.size(); ++d)
    whole.begin.offset_bytes += starts[d] * whole.strides[d] * element_bytes;
  return whole;
}

std::vector<Copy> copies_of(const model::Shape& shape, const View& from, const View& to,
                            std::int64_t element_bytes) {
  if (model::elements(shape) == 0) return {};
  std::vector<Run> runs = runs_of(shape, from.strides, to.strides);
  Copy copy{.from = from.begin, .to = to.begin, .row_bytes = element_bytes};
  if (!runs.empty() && runs.back().from_stride == 1 && runs.back().to_stride == 1) {
    copy.row_bytes *= runs.back().extent;
    runs.pop_back();
  }
  if (!runs.empty()) {
    copy.rows = runs.back().extent;
    copy.from_stride_bytes = runs.back().from_stride * element_bytes;
    copy.to_stride_bytes = runs.back().to_stride * element_bytes;
    runs.pop_back();
  }
  std::vector<Copy> copies = {copy};
  for (const Run& run : runs | std::views::reverse) {
    const std::vector<Copy> inner = std::move(copies);
    copies.clear();
    for (std::int64_t i = 0; i < run.extent; ++i) {
      for (Copy next : inner) {
        next.from.offset_bytes += i * run.from_stride * element_bytes;
        next.to.offset_bytes += i * run.to_stride * element_bytes;
        copies.push_back(next);
      }
    }
  }
  return copies;
}

}  // namespace hone::artefact
