#include "graph/onnx/cubic.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ir/element.h"

namespace hone::graph::onnx {
namespace {

constexpr std::size_t kTaps = 4;

// Keys' kernel at a distance.
double weight_at(double distance, double a) {
  const double x = std::abs(distance);
  if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  return 0;
}

struct Taps {
  std::array<std::vector<std::int64_t>, kTaps> places;
  std::array<std::vector<double>, kTaps> weights;
};

Taps taps_of(const Resize& resize, std::size_t d, std::int64_t extent, double a, bool exclude_outside) {
  Taps taps;
  for (std::int64_t i = 0; i < resize.shape[d]; ++i) {
    const double at = resize.scales[d] * static_cast<double>(i) + resize.offsets[d];
    // Far outside all neighbours are the border's element anyway.
    const double first = std::clamp(std::floor(at), -4.0, static_cast<double>(extent) + 4) - 1;
    double total = 0;
    for (std::size_t k = 0; k < kTaps; ++k) {
      const double place = first + static_cast<double>(k);
      const bool is_outside = place < 0 || place >= static_cast<double>(extent);
      const double weight = exclude_outside && is_outside ? 0 : weight_at(at - place, a);
      taps.places[k].push_back(
          std::clamp<std::int64_t>(static_cast<std::int64_t>(place), 0, extent - 1));
      taps.weights[k].push_back(weight);
      total += weight;
    }
    for (std::size_t k = 0; exclude_outside && total != 0 && k < kTaps; ++k)
      taps.weights[k].back() /= total;
  }
  return taps;
}

// A constant of the type, one element a place along dimension d of `rank`.
ValueId along(const Emitter& emit, ir::Scalar type, const std::vector<double>& elements, std::size_t d,
              std::size_t rank) {
  Shape shape(rank - d, 1);
  shape[0] = static_cast<std::int64_t>(elements.size());
  Tensor tensor = Tensor::zeros(type, shape);
  std::byte* at = tensor.writable().data();
  for (const double element : elements) {
    ir::write_number(type, at, {.f = ir::round_to(type, element)});
    at += ir::size_bytes(type);
  }
  return emit.constant(std::move(tensor));
}

}  // namespace

ValueId resize_cubic(const Emitter& emit, ValueId x, const Resize& resize, double a,
                     bool exclude_outside) {
  const std::size_t rank = emit.rank(x);
  for (std::size_t d = 0; d < rank; ++d) {
    const std::int64_t extent = emit.shape(x)[d];
    const bool is_same = resize.shape[d] == extent && resize.scales[d] == 1 && resize.offsets[d] == 0;
    if (is_same || extent == 0) continue;
    require_constant_size(resize.shape[d]);
    const Taps taps = taps_of(resize, d, extent, a, exclude_outside);
    std::vector<ValueId> parts;  // the neighbours, then their weights
    for (const auto& places : taps.places)
      parts.push_back(emit.add(Gather{static_cast<int>(d)}, {x, emit.constant(places)}));
    for (const auto& weights : taps.weights)
      parts.push_back(along(emit, emit.type(x), weights, d, rank));
    x = emit.map(parts,
                 [](const auto& v) { return v[0] * v[4] + v[1] * v[5] + v[2] * v[6] + v[3] * v[7]; });
  }
  return x;
}

}  // namespace hone::graph::onnx
