#include "task/define/sub_pixel.h"

#include "graph/builder.h"
#include "task/ops/sub_pixel.h"

namespace hone::task::define {

graph::Graph sub_pixel_weight(const graph::ValueType& weight, const ops::Layout& layout,
                              const ops::Windows& transposed) {
  const std::size_t n = transposed.size(), first_tap = layout.channels_last() ? 0 : 2;
  const std::size_t in = layout.channels_last() ? n : 0, out = in + 1;
  const ops::Windows plain = ops::over_blocks(transposed);
  // A kernel padded to whole strides is rows of phases, of which the last belongs to the first input.
  graph::Pad pad{graph::PadMode::Constant, Shape(n + 2, 0), Shape(n + 2, 0),
                 ir::constant(0, {weight.type, 1})};
  Shape split;
  std::vector<int> taps, order;  // dimensions of the split kernel
  for (std::size_t d = 0; d < n; ++d) {
    const std::int64_t stride = transposed[d].stride, rows = plain[d].kernel;
    const std::int64_t last = rows - 1 - plain[d].before;  // input that a phase of block 0 reads
    std::int64_t& before = pad.before[first_tap + d];
    before = stride * last - transposed[d].before;
    pad.after[first_tap + d] = stride * rows - transposed[d].kernel - before;
    taps.push_back(static_cast<int>(first_tap + split.size()));
    order.push_back(taps.back() + 1);
    split.insert(split.end(), {rows, stride});
  }
  const int in_dim = layout.channels_last() ? static_cast<int>(split.size()) : 0;
  split.insert(split.begin() + in_dim, {weight.shape[in], weight.shape[out]});
  graph::Slice reverse{Shape(split.size(), 0), Shape(split.size(), 1), split};
  for (const int tap : taps) {
    const auto d = static_cast<std::size_t>(tap);
    reverse.starts[d] = split[d] - 1;
    reverse.steps[d] = -1;
  }
  order.push_back(in_dim + 1);  // the output channels, behind the phases
  const auto inputs = order.insert(layout.channels_last() ? order.begin() : order.end(), in_dim);
  order.insert(layout.channels_last() ? inputs : inputs + 1, taps.begin(), taps.end());
  const ops::Channels channels{{weight.shape[in]}, {ops::phases(transposed) * weight.shape[out]}};

  graph::Builder b;
  const ValueId raw = b.input("weight", weight);
  const ValueId padded = b.apply("padded", pad, {raw});
  const ValueId rows = b.apply("rows", graph::Reshape{split}, {padded});
  const ValueId reversed = b.apply("reversed", reverse, {rows});
  const ValueId ordered = b.apply("ordered", graph::Transpose{order}, {reversed});
  const Shape shape = ops::weight_shape(layout, plain, channels);
  return b.finish({b.apply("shaped", graph::Reshape{shape}, {ordered})});
}

}  // namespace hone::task::define
