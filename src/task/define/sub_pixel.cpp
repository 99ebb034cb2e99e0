#include "task/define/sub_pixel.h"

#include "graph/builder.h"
#include "task/ops/sub_pixel.h"

namespace hone::task::define {

graph::Graph sub_pixel_weight(const graph::ValueType& weight, const ops::Layout& layout,
                              const ops::Windows& transposed) {
  const std::size_t n = transposed.size(), rank = n + 2;
  const bool channels_last = layout.channels_last();
  const std::size_t first_tap = channels_last ? 0 : 2, in = channels_last ? n : 0, out = in + 1;
  // A kernel padded to whole strides is rows of phases: the row of the first input is the last one.
  graph::Pad pad{graph::PadMode::Constant, Shape(rank, 0), Shape(rank, 0),
                 ir::constant(0, {weight.type, 1})};
  graph::Shape split;
  std::vector<std::int64_t> starts, steps;
  std::vector<int> taps, phases;  // dimensions of the split kernel
  int in_dim = 0, out_dim = 0;
  const auto add = [&](std::int64_t extent, bool is_reversed) {
    split.push_back(extent);
    starts.push_back(is_reversed ? extent - 1 : 0);
    steps.push_back(is_reversed ? -1 : 1);
    return static_cast<int>(split.size()) - 1;
  };
  for (std::size_t d = 0; d < rank; ++d) {
    if (d == in) in_dim = add(weight.shape[d], false);
    if (d == out) out_dim = add(weight.shape[d], false);
    if (d == in || d == out) continue;
    const ops::Window& window = transposed[d - first_tap];
    const ops::Window plain = ops::over_blocks(window);
    const std::int64_t last = plain.kernel - 1 - plain.before;  // the last input of block 0
    pad.before[d] = window.stride * last - window.before;
    pad.after[d] = window.stride * plain.kernel - window.kernel - pad.before[d];
    taps.push_back(add(plain.kernel, true));
    phases.push_back(add(window.stride, false));
  }
  std::vector<int> order = phases;  // then all channels, in the order of a plain weight
  graph::Shape shape;
  for (const int tap : taps) shape.push_back(split[static_cast<std::size_t>(tap)]);
  order.push_back(out_dim);
  const std::int64_t made = ops::phases(transposed) * weight.shape[out];
  if (channels_last) {
    order.insert(order.begin(), in_dim);
    order.insert(order.begin(), taps.begin(), taps.end());
    shape.insert(shape.end(), {weight.shape[in], made});
  } else {
    order.push_back(in_dim);
    order.insert(order.end(), taps.begin(), taps.end());
    shape.insert(shape.begin(), {made, weight.shape[in]});
  }
  graph::Builder b;
  const ValueId raw = b.input("weight", weight);
  const ValueId padded = b.apply("padded", pad, {raw});
  const ValueId rows = b.apply("rows", graph::Reshape{split}, {padded});
  const ValueId reversed = b.apply("reversed", graph::Slice{starts, steps, split}, {rows});
  const ValueId ordered = b.apply("ordered", graph::Transpose{order}, {reversed});
  return b.finish({b.apply("shaped", graph::Reshape{shape}, {ordered})});
}

}  // namespace hone::task::define
