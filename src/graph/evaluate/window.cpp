// Operators whose windows slide over the dimensions behind the second.
#include <algorithm>

#include "graph/evaluate/elements.h"
#include "graph/evaluate/multiply.h"
#include "graph/evaluate/operators.h"
#include "graph/evaluate/reduction.h"
#include "graph/evaluate/taps.h"

namespace hone::graph {
namespace {

Shape spatial(const Shape& shape) { return {shape.begin() + 2, shape.end()}; }

// A convolution as one product of matrices an image and group: weights [out channels of a group, in
// channels of a group * taps] times the elements under the taps [in channels * taps, positions].
template <class Wide>
Tensor convolve(const Taps& taps, std::int64_t groups, const Tensor& input,
                const std::vector<Wide>& weights, const ValueType& type) {
  const std::vector<Wide> in = widen<Wide>(input);
  const std::int64_t channels = input.shape()[1] / groups, out_channels = type.shape[1] / groups;
  const std::int64_t plane = model::elements(spatial(input.shape()));
  const std::int64_t depth = channels * taps.count();
  const auto weights_of_group = static_cast<std::size_t>(out_channels * depth);
  std::vector<Wide> out(static_cast<std::size_t>(model::elements(type.shape)));
  const std::int64_t out_size = out_channels * taps.positions();
  for (std::int64_t image = 0; image < type.shape[0] * groups; ++image) {
    const Wide* planes = in.data() + image * channels * plane;
    const auto fill = [&](std::int64_t first, std::span<Wide> panel) {
      const std::vector<std::int64_t> elements = taps.elements(first, kPanelColumns);
      auto to = panel.begin();
      for (std::int64_t channel = 0; channel < channels; ++channel) {
        for (const std::int64_t element : elements)
          *to++ = element < 0 ? Wide{0} : planes[channel * plane + element];
      }
    };
    const auto group = static_cast<std::size_t>(image % groups);
    multiply<Wide>(std::span(weights).subspan(group * weights_of_group, weights_of_group), out_channels,
                   depth, taps.positions(), fill,
                   std::span(out).subspan(static_cast<std::size_t>(image * out_size),
                                          static_cast<std::size_t>(out_size)));
  }
  return narrow(type, out);
}

// [channels, out channels of a group, taps] as the convolution takes them, group after group: [out
// channels, channels of a group, taps].
template <class Wide>
std::vector<Wide> turned(const Tensor& weights, std::int64_t groups, std::int64_t taps) {
  const std::vector<Wide> in = widen<Wide>(weights);
  const std::int64_t channels = weights.shape()[0] / groups, out_channels = weights.shape()[1];
  std::vector<Wide> out;
  for (std::int64_t group = 0; group < groups; ++group) {
    for (std::int64_t to = 0; to < out_channels; ++to) {
      for (std::int64_t from = 0; from < channels; ++from) {
        const auto first = in.begin() + ((group * channels + from) * out_channels + to) * taps;
        out.insert(out.end(), first, first + taps);
      }
    }
  }
  return out;
}

}  // namespace

Tensors evaluate_op(const Conv& op, Operands inputs, OutputTypes types) {
  const Taps taps(op.window, spatial(inputs[0].shape()), spatial(types[0].shape), false);
  return for_wide_type(types[0].type, [&]<class Wide>(Wide) -> Tensors {
    return {convolve(taps, op.groups, inputs[0], widen<Wide>(inputs[1]), types[0])};
  });
}

Tensors evaluate_op(const ConvTranspose& op, Operands inputs, OutputTypes types) {
  const Taps taps(op.window, spatial(inputs[0].shape()), spatial(types[0].shape), true);
  return for_wide_type(types[0].type, [&]<class Wide>(Wide) -> Tensors {
    const std::vector<Wide> weights = turned<Wide>(inputs[1], op.groups, taps.count());
    return {convolve(taps, op.groups, inputs[0], weights, types[0])};
  });
}

Tensors evaluate_op(const Pool& op, Operands inputs, OutputTypes types) {
  const Taps taps(op.window, spatial(inputs[0].shape()), spatial(types[0].shape), false);
  return for_wide_type(types[0].type, [&]<class Wide>(Wide) -> Tensors {
    const std::vector<Wide> in = widen<Wide>(inputs[0]);
    const std::int64_t plane = model::elements(spatial(inputs[0].shape()));
    const std::int64_t planes = types[0].shape[0] * types[0].shape[1];
    std::vector<Wide> out(static_cast<std::size_t>(model::elements(types[0].shape)),
                          start_of<Wide>(op.reduction, types[0].type));
    constexpr std::int64_t kLength = 256;  // positions at a time, so that the table stays small
    for (std::int64_t first = 0; first < taps.positions(); first += kLength) {
      const std::int64_t length = std::min(kLength, taps.positions() - first);
      const std::vector<std::int64_t> elements = taps.elements(first, length);
      for (std::int64_t p = 0; p < planes; ++p) {
        for (std::int64_t i = 0; i < taps.count() * length; ++i) {
          const std::int64_t element = elements[static_cast<std::size_t>(i)];
          if (element < 0) continue;
          Wide& total = out[static_cast<std::size_t>(p * taps.positions() + first + i % length)];
          total = combine(op.reduction, total, in[static_cast<std::size_t>(p * plane + element)]);
        }
      }
    }
    return {narrow(types[0], out)};
  });
}

}  // namespace hone::graph
