#include "graph/algorithms.h"

#include <algorithm>
#include <array>

#include "graph/layout.h"

namespace hone::graph {
namespace {

bool all_are(const std::vector<std::int64_t>& numbers, std::int64_t wanted) {
  return std::ranges::all_of(numbers, [&](std::int64_t number) { return number == wanted; });
}

bool is_matmul(const Conv& conv) {
  const Window& window = conv.window;
  return conv.groups == 1 && window.layout != Layout::Blocked && all_are(window.kernel, 1) &&
         all_are(window.strides, 1) && all_are(window.before, 0) && all_are(window.after, 0);
}

// Whether tiles of `tile` x `tile` outputs make sense: the kernel has the shape, and the output is at
// least one tile large.
bool has_winograd(const Conv& conv, const Shape& output, std::int64_t tile) {
  const Window& window = conv.window;
  const std::size_t spatial = window.kernel.size();
  if (conv.groups != 1 || spatial < 2) return false;
  const std::size_t first = first_spatial(window.layout);
  for (std::size_t d = spatial - 2; d < spatial; ++d) {
    if (window.kernel[d] != 3 || window.strides[d] != 1 || window.dilations[d] != 1) return false;
    if (output[first + d] < tile) return false;
  }
  return true;
}

// Whether all outputs of a stride read the same inputs.
bool shares_inputs(const Window& window) {
  for (std::size_t d = 0; d < window.kernel.size(); ++d) {
    if (window.kernel[d] % window.strides[d] != 0 || window.before[d] % window.strides[d] != 0)
      return false;
  }
  return true;
}

// Products with zeros must be made up for: where the channels are the vectors' elements, by channels
// that are too few for one.
bool has_sub_pixels(const ConvTranspose& conv, const Shape& output) {
  constexpr std::int64_t kWidestVector = 16;
  const Window& window = conv.window;
  if (conv.groups != 1 || !all_are(window.dilations, 1) || all_are(window.strides, 1)) return false;
  return window.layout == Layout::ChannelsFirst || output.back() < kWidestVector ||
         shares_inputs(window);
}

// Quarters add work to each element of the factor and of the result; one product of eight is saved.
// With fewer columns than these the sums take as long. Every thread has the sums of the left factor's
// quarters for itself, and they must stay in its cache: 128 x 3072 by 3072 x 768 with 2.8 MB of them
// took 2.4 ms alone and 2.5 or 3.2 in a network, as two Zen 4 cores shared a cache or not; direct, 2.7.
bool has_strassen(const Shape& left, const Shape& right, ir::Scalar type) {
  constexpr std::int64_t kFewestRows = 32, kFewestColumns = 256;
  if (right.size() != 2 || !ir::is_float(type)) return false;
  const std::int64_t rows = model::elements(left) / left.back();
  constexpr std::int64_t kMostSumsBytes = std::int64_t{1} << 20;
  const std::int64_t sums_bytes = model::elements(left) / 4 * 7 * ir::size_bytes(type);
  return rows >= kFewestRows && rows % 2 == 0 && sums_bytes <= kMostSumsBytes &&
         std::ranges::all_of(
             right, [](std::int64_t extent) { return extent >= kFewestColumns && extent % 2 == 0; });
}

}  // namespace

std::vector<Algorithm> algorithms(const Graph& graph, const Node& node) {
  const auto value = [&](ValueId id) -> const Value& {
    return graph.values[static_cast<std::size_t>(id)];
  };
  std::vector<Algorithm> all = {Algorithm::Direct};
  const bool has_known_weights = node.inputs.size() == 2 && value(node.inputs[1]).constant.has_value();
  if (const auto* conv = std::get_if<Conv>(&node.op)) {
    const ValueType& output = value(node.outputs.front()).type;
    if (is_matmul(*conv)) all.push_back(Algorithm::MatMul);
    if (!has_known_weights || !ir::is_float(output.type)) return all;
    if (has_winograd(*conv, output.shape, 2)) all.push_back(Algorithm::Winograd2);
    if (has_winograd(*conv, output.shape, 4)) all.push_back(Algorithm::Winograd4);
  } else if (const auto* transposed = std::get_if<ConvTranspose>(&node.op)) {
    const Shape& output = value(node.outputs.front()).type.shape;
    if (has_known_weights && has_sub_pixels(*transposed, output)) all.push_back(Algorithm::SubPixel);
  } else if (std::holds_alternative<MatMul>(node.op) && has_known_weights) {
    const ValueType &left = value(node.inputs[0]).type, &right = value(node.inputs[1]).type;
    if (has_strassen(left.shape, right.shape, right.type)) all.push_back(Algorithm::Strassen);
  }
  return all;
}

bool is_exact(Algorithm algorithm) {
  return algorithm != Algorithm::Winograd2 && algorithm != Algorithm::Winograd4 &&
         algorithm != Algorithm::Strassen;
}

std::string_view name_of(Algorithm algorithm) {
  constexpr std::array<std::string_view, 6> kNames = {"direct",    "matmul",    "winograd2",
                                                      "winograd4", "sub_pixel", "strassen"};
  return kNames[static_cast<std::size_t>(algorithm)];
}

}  // namespace hone::graph
