#include <gtest/gtest.h>

#include <numeric>

#include "graph/evaluate.h"
#include "graph/layout.h"
#include "graph/maps.h"
#include "tests/tensors.h"

namespace hone::graph {
namespace {

using ir::Scalar;
using test::f32;
using test::numbers;
using test::random_tensor;
using Numbers = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

Tensor apply(const Operator& op, const std::vector<Tensor>& inputs) {
  return evaluate(op, inputs).front();
}

// Two dimensions, three, or one: kernels and everything else differ by dimension.
struct Case {
  Shape input, weights;
  Window window;
  std::int64_t groups = 1;
};
const std::vector<Case> kCases = {
    {{1, 1, 5, 5}, {1, 1, 3, 3}, {{3, 3}, {1, 1}, {1, 1}, {0, 0}, {0, 0}}},
    {{2, 4, 7, 9}, {6, 4, 3, 2}, {{3, 2}, {2, 1}, {1, 2}, {1, 0}, {2, 1}}},
    {{1, 6, 8, 5}, {4, 3, 2, 3}, {{2, 3}, {1, 2}, {2, 1}, {1, 2}, {0, 2}}, 2},
    {{2, 5, 6, 6}, {5, 1, 3, 3}, {{3, 3}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, 5},
    {{1, 3, 11}, {2, 3, 4}, {{4}, {3}, {2}, {-1}, {2}}},
    {{1, 2, 4, 5, 6}, {3, 2, 2, 3, 1}, {{2, 3, 1}, {1, 2, 3}, {2, 1, 1}, {1, 1, 0}, {0, 1, 0}}},
};

// What the taps at `tap` see, as one tensor [n, c, positions...]: padding, then a slice.
Tensor under_tap(const Tensor& input, const Window& window, const Shape& tap, const Shape& positions,
                 double outside) {
  const std::size_t rank = input.shape().size();
  Pad pad{PadMode::Constant, Sizes(rank), Sizes(rank), ir::constant(outside, {input.type()})};
  Slice slice{Sizes(rank), Sizes(rank, 1), {input.shape()[0], input.shape()[1]}};
  for (std::size_t d = 2; d < rank; ++d) {
    pad.before[d] = window.before[d - 2];
    pad.after[d] = window.after[d - 2];
    slice.starts[d] = tap[d - 2] * window.dilations[d - 2];
    slice.steps[d] = window.strides[d - 2];
    slice.shape.push_back(positions[d]);
  }
  return apply(slice, {apply(pad, {input})});
}

Shape index_in(const Shape& shape, std::int64_t element) {
  Shape index(shape.size());
  for (std::size_t d = shape.size(); d-- > 0; element /= shape[d]) index[d] = element % shape[d];
  return index;
}

// A convolution with one group as a sum over the taps of sums of products.
Tensor conv_by_taps(const Case& conv, const Tensor& x, const Tensor& w, const Shape& shape) {
  Tensor total = Tensor::zeros(x.type(), shape);
  const std::size_t spatial = conv.window.kernel.size();
  Einsum products{{{0, 1}, {2, 1}}, {0, 2}};  // n c, m c -> n m
  for (std::size_t d = 0; d < spatial; ++d) {
    products.inputs[0].push_back(3 + static_cast<int>(d));
    products.output.push_back(3 + static_cast<int>(d));
  }
  for (std::int64_t t = 0; t < model::elements(conv.window.kernel); ++t) {
    const Shape tap = index_in(conv.window.kernel, t);
    Slice pick{{0, 0}, Sizes(spatial + 2, 1), {w.shape()[0], w.shape()[1]}};
    pick.starts.insert(pick.starts.end(), tap.begin(), tap.end());
    pick.shape.resize(spatial + 2, 1);
    const Tensor weights = apply(pick, {w}).reshaped({w.shape()[0], w.shape()[1]});
    const Tensor part = apply(products, {under_tap(x, conv.window, tap, shape, 0), weights});
    total = apply(binary(ir::BinaryOp::Add, x.type()), {total, part});
  }
  return total;
}

Tensor channels(const Tensor& x, int axis, std::int64_t first, std::int64_t count) {
  Slice slice{Sizes(x.shape().size()), Sizes(x.shape().size(), 1), x.shape()};
  slice.starts[static_cast<std::size_t>(axis)] = first;
  slice.shape[static_cast<std::size_t>(axis)] = count;
  return apply(slice, {x});
}

TEST(EvaluateConv, IsTheSumOverItsTapsGroupByGroup) {
  for (const Case& conv : kCases) {
    const Tensor x = random_tensor(Scalar::I32, conv.input, 1),
                 w = random_tensor(Scalar::I32, conv.weights, 2);
    const Tensor whole = apply(Conv{conv.window, conv.groups}, {x, w});
    const std::int64_t in = conv.input[1] / conv.groups, out = conv.weights[0] / conv.groups;
    for (std::int64_t group = 0; group < conv.groups; ++group) {
      const Tensor part = channels(whole, 1, group * out, out);
      const Tensor expected = conv_by_taps(conv, channels(x, 1, group * in, in),
                                           channels(w, 0, group * out, out), part.shape());
      EXPECT_EQ(numbers(part), numbers(expected));
    }
  }
}

TEST(EvaluateConv, SumsOfFloatsAreRoundedOnce) {
  const Window window{{1}, {1}, {1}, {0}, {0}};
  const Tensor x = f32({1, 4, 1}, {1, 0x1p-30, -1, 0x1p-60}), w = f32({1, 4, 1}, {1, 1, 1, 1});
  EXPECT_EQ(numbers(apply(Conv{window}, {x, w})), Numbers{0x1p-30});
}

double dot(const Tensor& a, const Tensor& b) {
  const Numbers x = numbers(a), y = numbers(b);
  return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

// <conv(x, w), y> = <x, conv_transpose(y, w)> for every x and y, which is what a gradient is.
TEST(EvaluateConvTranspose, IsTheGradientOfConv) {
  for (const Case& conv : kCases) {
    const Tensor x = random_tensor(Scalar::I64, conv.input, 1),
                 w = random_tensor(Scalar::I64, conv.weights, 2);
    const Tensor image = apply(Conv{conv.window, conv.groups}, {x, w});
    const Tensor y = random_tensor(Scalar::I64, image.shape(), 3);
    // A stride may leave elements at the end unused: padding less brings their zeros back.
    ConvTranspose transpose{conv.window, conv.groups};
    for (std::size_t d = 0; d < conv.window.kernel.size(); ++d) {
      const std::int64_t reach = (conv.window.kernel[d] - 1) * conv.window.dilations[d] + 1;
      transpose.window.after[d] = (image.shape()[d + 2] - 1) * conv.window.strides[d] + reach -
                                  conv.window.before[d] - conv.input[d + 2];
    }
    const Tensor gradient = apply(transpose, {y, w});
    ASSERT_EQ(gradient.shape(), conv.input);
    EXPECT_EQ(dot(image, y), dot(x, gradient));
    EXPECT_NE(dot(image, y), 0);
  }
}

TEST(EvaluatePool, IsTheReductionOverItsTaps) {
  for (const Case& pool : kCases) {
    for (const Reduction reduction : {Reduction::Sum, Reduction::Max}) {
      const Tensor x = random_tensor(Scalar::I8, pool.input, 1);
      const Tensor whole = apply(Pool{reduction, pool.window}, {x});
      const bool is_sum = reduction == Reduction::Sum;
      Tensor total =
          apply(binary(ir::BinaryOp::Mul, Scalar::I8), {whole, test::tensor(Scalar::I8, {}, {0})});
      if (!is_sum)
        total =
            apply(binary(ir::BinaryOp::Sub, Scalar::I8), {total, test::tensor(Scalar::I8, {}, {128})});
      for (std::int64_t t = 0; t < model::elements(pool.window.kernel); ++t) {
        const Tensor part = under_tap(x, pool.window, index_in(pool.window.kernel, t), whole.shape(),
                                      is_sum ? 0 : -128);
        const auto op = is_sum ? ir::BinaryOp::Add : ir::BinaryOp::Max;
        total = apply(binary(op, Scalar::I8), {total, part});
      }
      EXPECT_EQ(numbers(whole), numbers(total));
    }
  }
}

TEST(EvaluateWindows, ChannelsLastIsTheSameTransposed) {
  const Case& conv = kCases[2];
  const Conv first{conv.window, conv.groups};
  const auto last = in_layout(first, Layout::ChannelsLast);
  const Tensor x = random_tensor(Scalar::F32, conv.input, 1),
               w = random_tensor(Scalar::F32, conv.weights, 2);
  const Tensor image =
      apply(last->op, {apply(Transpose{last->inputs[0]}, {x}), apply(Transpose{last->inputs[1]}, {w})});
  EXPECT_EQ(numbers(apply(Transpose{last->output}, {image})), numbers(apply(first, {x, w})));
}

}  // namespace
}  // namespace hone::graph
