// Every operator of the catalogue against loops written from its definition.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "task/catalogue.h"
#include "task/evaluate.h"
#include "task/winograd.h"

namespace hone::task {
namespace {

using Indices = std::vector<std::int64_t>;

struct Array {
  Indices shape;
  std::vector<double> values;

  double& at(const Indices& index) {
    std::int64_t offset = 0;
    EXPECT_EQ(index.size(), shape.size());
    for (std::size_t d = 0; d < shape.size(); ++d) offset = offset * shape[d] + index[d];
    return values.at(static_cast<std::size_t>(offset));
  }
};

Array zeros(const Indices& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) elements *= extent;
  return {shape, std::vector<double>(static_cast<std::size_t>(elements), 0.0)};
}

// A task with random inputs, whole numbers where the type is an integer, and its answer.
struct Answered {
  Task task;
  std::vector<Array> inputs, outputs;

  Array& input(const std::string& name) {
    const std::vector<int> ops = task.placeholders();
    for (std::size_t i = 0; i < ops.size(); ++i) {
      if (task.ops[static_cast<std::size_t>(ops[i])].name() == name) return inputs[i];
    }
    throw std::out_of_range(name);
  }
  Array& output() { return outputs.front(); }
  void answer() {
    std::vector<std::vector<double>> values;
    for (const Array& input : inputs) values.push_back(input.values);
    const auto results = evaluate(task, values);
    outputs.clear();
    for (const int op : task.outputs()) {
      for (const ir::Buffer& buffer : task.ops[static_cast<std::size_t>(op)].outputs) {
        outputs.push_back({buffer->shape, results[outputs.size()]});
      }
    }
  }
};

Answered run(const std::string& text) {
  Answered r{from_op(text), {}, {}};
  std::mt19937 random(7);
  for (const int op : r.task.placeholders()) {
    const ir::Buffer& buffer = r.task.ops[static_cast<std::size_t>(op)].output();
    Array array = zeros(buffer->shape);
    for (double& value : array.values) {
      value = static_cast<double>(static_cast<int>(random() % 2001) - 1000) / 1000;
      if (ir::is_int(buffer->type.scalar)) value = std::trunc(value * 5);
      if (ir::is_unsigned_int(buffer->type.scalar)) value = std::fabs(value);
    }
    r.inputs.push_back(std::move(array));
  }
  r.answer();
  return r;
}

void expect_near(const Array& actual, const Array& expected, double tolerance = 1e-9) {
  ASSERT_EQ(actual.shape, expected.shape);
  for (std::size_t i = 0; i < actual.values.size(); ++i) {
    ASSERT_NEAR(actual.values[i], expected.values[i], tolerance * (1 + std::fabs(expected.values[i])))
        << "element " << i;
  }
}

// Products.

TEST(Operators, MatmulSumsRowsTimesColumns) {
  Answered r = run("matmul:m=3,n=5,k=4");
  Array expected = zeros({3, 5});
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 5; ++j) {
      for (int k = 0; k < 4; ++k)
        expected.at({i, j}) += r.input("A").at({i, k}) * r.input("B").at({k, j});
    }
  }
  expect_near(r.output(), expected);
}

TEST(Operators, DenseAndTransposedMatmulTakeTheWeightByRows) {
  for (const char* text : {"dense:m=3,n=5,k=4", "matmul:m=3,n=5,k=4,trans=t"}) {
    Answered r = run(text);
    Array expected = zeros({3, 5});
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 5; ++j) {
        for (int k = 0; k < 4; ++k)
          expected.at({i, j}) += r.input("A").at({i, k}) * r.input("B").at({j, k});
      }
    }
    expect_near(r.output(), expected);
  }
}

TEST(Operators, BatchMatmulMultipliesPairByPair) {
  for (const bool transposed : {false, true}) {
    Answered r = run(fmt::format("batch_matmul:b=2,m=3,n=5,k=4,trans={}", transposed ? "t" : "n"));
    Array expected = zeros({2, 3, 5});
    for (int b = 0; b < 2; ++b) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 5; ++j) {
          for (int k = 0; k < 4; ++k) {
            expected.at({b, i, j}) += r.input("A").at({b, i, k}) *
                                      r.input("B").at(transposed ? Indices{b, j, k} : Indices{b, k, j});
          }
        }
      }
    }
    expect_near(r.output(), expected);
  }
}

TEST(Operators, TransposeBatchMatmulScoresQueriesAgainstKeys) {
  Answered r = run("transpose_batch_matmul:b=2,seq=3,heads=2,dim=4");
  Array expected = zeros({2, 2, 3, 3});
  for (int b = 0; b < 2; ++b) {
    for (int h = 0; h < 2; ++h) {
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
          for (int d = 0; d < 4; ++d) {
            expected.at({b, h, i, j}) += r.input("Q").at({b, i, h, d}) * r.input("K").at({b, j, h, d});
          }
        }
      }
    }
  }
  expect_near(r.output(), expected);
}

// Convolutions, in coordinates that know nothing of layouts.

struct Conv {
  std::int64_t n = 1, ci = 1, h = 5, w = 5, co = 1, kh = 3, kw = 3, s = 1, p = 0, d = 1, g = 1;
  std::string layout = "nchw";

  std::string text(const std::string& name) const {
    return fmt::format("{}:n={},ci={},h={},w={},kh={},kw={},s={},p={},d={},layout={}", name, n, ci, h,
                       w, kh, kw, s, p, d, layout);
  }
  std::int64_t out_h() const { return (h + 2 * p - d * (kh - 1) - 1) / s + 1; }
  std::int64_t out_w() const { return (w + 2 * p - d * (kw - 1) - 1) / s + 1; }

  double& image(Array& a, std::int64_t b, std::int64_t c, std::int64_t y, std::int64_t x) const {
    if (layout == "nhwc") return a.at({b, y, x, c});
    if (layout == "nchw") return a.at({b, c, y, x});
    const std::int64_t block = a.shape.back();
    return a.at({b, c / block, y, x, c % block});
  }
  double padded(Array& a, std::int64_t b, std::int64_t c, std::int64_t y, std::int64_t x,
                double border = 0) const {
    return y < 0 || y >= h || x < 0 || x >= w ? border : image(a, b, c, y, x);
  }
  // Weight of output channel o and channel c of its group.
  double weight(Array& a, std::int64_t o, std::int64_t c, std::int64_t y, std::int64_t x) const {
    if (layout == "nhwc") return a.at({y, x, c, o});
    if (layout == "nchw") return a.at({o, c, y, x});
    const std::int64_t in = a.shape[4], out = a.shape[5];
    return a.at({o / out, c / in, y, x, c % in, o % out});
  }
  // Calls body(image, channel, row, column) for every output.
  template <class Body>
  void for_each_output(std::int64_t channels, const Body& body) const {
    for (std::int64_t b = 0; b < n; ++b) {
      for (std::int64_t c = 0; c < channels; ++c) {
        for (std::int64_t y = 0; y < out_h(); ++y) {
          for (std::int64_t x = 0; x < out_w(); ++x) body(b, c, y, x);
        }
      }
    }
  }
};

double convolve(const Conv& conv, Array& x_in, Array& w_in, std::int64_t b, std::int64_t o,
                std::int64_t y, std::int64_t x) {
  double sum = 0;
  const std::int64_t in = conv.ci / conv.g, first = o / (conv.co / conv.g) * in;
  for (std::int64_t c = 0; c < in; ++c) {
    for (std::int64_t ky = 0; ky < conv.kh; ++ky) {
      for (std::int64_t kx = 0; kx < conv.kw; ++kx) {
        sum += conv.padded(x_in, b, first + c, y * conv.s + ky * conv.d - conv.p,
                           x * conv.s + kx * conv.d - conv.p) *
               conv.weight(w_in, o, c, ky, kx);
      }
    }
  }
  return sum;
}

const std::vector<Conv> kConvs = {
    {.ci = 3, .co = 4},
    {.n = 2, .ci = 3, .h = 6, .w = 5, .co = 4, .kh = 3, .kw = 2, .p = 1},
    {.ci = 4, .h = 9, .w = 7, .co = 6, .s = 2, .p = 1, .g = 2},
    {.ci = 2, .h = 9, .w = 9, .co = 2, .s = 2, .p = 2, .d = 2},
    {.ci = 2, .h = 5, .w = 7, .co = 3, .kh = 1, .kw = 1},
    {.n = 2, .ci = 3, .co = 4, .p = 1, .layout = "nhwc"},
    {.ci = 4, .co = 6, .g = 2, .layout = "nhwc"},
    {.ci = 3, .co = 32, .p = 1, .layout = "nchw16c"},
    {.ci = 32, .h = 4, .w = 4, .co = 16, .s = 2, .p = 1, .layout = "nchw16c"},
    {.ci = 64, .h = 3, .w = 3, .co = 32, .g = 2, .layout = "nchw16c"},
    {.ci = 6, .h = 3, .w = 3, .co = 8, .g = 2, .layout = "nchw16c"},
};

TEST(Operators, Conv2dIsAConvolutionInEveryLayout) {
  for (const Conv& conv : kConvs) {
    SCOPED_TRACE(conv.text("conv2d"));
    Answered r = run(fmt::format("{},co={},g={}", conv.text("conv2d"), conv.co, conv.g));
    Array expected = zeros(r.output().shape);
    conv.for_each_output(conv.co, [&](auto b, auto o, auto y, auto x) {
      conv.image(expected, b, o, y, x) = convolve(conv, r.input("X"), r.input("W"), b, o, y, x);
    });
    expect_near(r.output(), expected);
  }
}

TEST(Operators, DepthwiseConvolvesEachChannelAlone) {
  for (Conv conv : kConvs) {
    conv.g = conv.co = conv.ci;
    SCOPED_TRACE(conv.text("depthwise"));
    Answered r = run(conv.text("depthwise"));
    Array& weights = r.input("W");
    Array expected = zeros(r.output().shape);
    conv.for_each_output(conv.ci, [&](auto b, auto c, auto y, auto x) {
      double& sum = conv.image(expected, b, c, y, x);
      for (std::int64_t ky = 0; ky < conv.kh; ++ky) {
        for (std::int64_t kx = 0; kx < conv.kw; ++kx) {
          const std::int64_t block = weights.shape.back();
          const double weight = conv.layout == "nchw"   ? weights.at({c, ky, kx})
                                : conv.layout == "nhwc" ? weights.at({ky, kx, c})
                                                        : weights.at({c / block, ky, kx, c % block});
          sum += weight * conv.padded(r.input("X"), b, c, y * conv.s + ky * conv.d - conv.p,
                                      x * conv.s + kx * conv.d - conv.p);
        }
      }
    });
    expect_near(r.output(), expected);
  }
}

TEST(Operators, Conv1dIsConv2dOfOneRow) {
  Answered line = run("conv1d:n=2,ci=4,w=9,co=6,k=3,s=2,p=1,g=2");
  Answered image = run("conv2d:n=2,ci=4,h=1,w=9,co=6,kh=1,kw=3,s=2,pw=1,g=2");
  EXPECT_EQ(line.output().shape, (Indices{2, 6, 5}));
  EXPECT_EQ(line.output().values, image.output().values);
}

TEST(Operators, Conv3dOfOneSliceIsConv2d) {
  Answered volume = run("conv3d:ci=2,depth=1,hw=5,co=3,kd=1,kh=3,kw=3,ph=1,pw=1,layout=nhwc");
  Answered image = run("conv2d:ci=2,hw=5,co=3,k=3,p=1,layout=nhwc");
  EXPECT_EQ(volume.output().shape, (Indices{1, 1, 5, 5, 3}));
  EXPECT_EQ(volume.output().values, image.output().values);
}

TEST(Operators, Conv3dSumsOverItsDepth) {
  Answered r = run("conv3d:ci=2,dhw=3,co=1,k=3");
  double expected = 0;
  for (std::size_t i = 0; i < 54; ++i) expected += r.input("X").values[i] * r.input("W").values[i];
  EXPECT_NEAR(r.output().values.at(0), expected, 1e-12);
}

// Each input element adds the kernel, times itself, to the output around it.
TEST(Operators, TransposedConvScatters) {
  struct Case {
    std::int64_t h, w, k, s, p, d, extra;
  };
  for (const Case& c :
       {Case{4, 4, 4, 2, 1, 1, 0}, Case{5, 3, 3, 1, 0, 1, 0}, Case{3, 4, 3, 2, 1, 1, 1},
        Case{3, 3, 2, 3, 0, 1, 0}, Case{4, 3, 3, 2, 2, 2, 0}, Case{5, 5, 1, 1, 0, 1, 0}}) {
    for (const char* layout : {"nchw", "nhwc"}) {
      const Conv conv{.n = 2, .ci = 3, .h = c.h, .w = c.w, .co = 2, .layout = layout};
      const std::string text =
          fmt::format("conv2d_transpose:n=2,ci=3,co=2,h={},w={},k={},s={},p={},d={},op={},layout={}",
                      c.h, c.w, c.k, c.s, c.p, c.d, c.extra, layout);
      SCOPED_TRACE(text);
      Answered r = run(text);
      const std::int64_t out_h = (c.h - 1) * c.s + c.d * (c.k - 1) + 1 - 2 * c.p + c.extra;
      const std::int64_t out_w = (c.w - 1) * c.s + c.d * (c.k - 1) + 1 - 2 * c.p + c.extra;
      Array expected =
          zeros(conv.layout == "nhwc" ? Indices{2, out_h, out_w, 2} : Indices{2, 2, out_h, out_w});
      Array& weights = r.input("W");
      const auto scatter = [&](std::int64_t b, std::int64_t i, std::int64_t o, std::int64_t y,
                               std::int64_t x) {
        for (std::int64_t ky = 0; ky < c.k; ++ky) {
          for (std::int64_t kx = 0; kx < c.k; ++kx) {
            const std::int64_t to_y = y * c.s + ky * c.d - c.p, to_x = x * c.s + kx * c.d - c.p;
            if (to_y < 0 || to_y >= out_h || to_x < 0 || to_x >= out_w) continue;
            const double weight =
                conv.layout == "nhwc" ? weights.at({ky, kx, o, i}) : weights.at({i, o, ky, kx});
            conv.image(expected, b, o, to_y, to_x) += weight * conv.image(r.input("X"), b, i, y, x);
          }
        }
      };
      for (std::int64_t at = 0; at < 2 * 3 * 2 * c.h * c.w; ++at) {
        scatter(at % 2, at / 2 % 3, at / 6 % 2, at / 12 % c.h, at / 12 / c.h);
      }
      expect_near(r.output(), expected);
    }
  }
}

TEST(Operators, CapsuleConvMultipliesMatrices) {
  Answered r = run("capsule_conv2d:ci=2,h=5,w=4,co=3,k=3,s=2,p=1,cap=2");
  Array expected = zeros({1, 3, 2, 3, 2, 2});
  for (std::int64_t y = 0; y < 3; ++y) {
    for (std::int64_t x = 0; x < 2; ++x) {
      for (std::int64_t at = 0; at < 3 * 2 * 2 * 2 * 2 * 9; ++at) {
        const std::int64_t o = at % 3, a = at / 3 % 2, b = at / 6 % 2, k = at / 12 % 2, c = at / 24 % 2;
        const std::int64_t ky = at / 48 % 3, kx = at / 144, from_y = 2 * y + ky - 1,
                           from_x = 2 * x + kx - 1;
        if (from_y < 0 || from_y >= 5 || from_x < 0 || from_x >= 4) continue;
        expected.at({0, y, x, o, a, b}) +=
            r.input("X").at({0, from_y, from_x, c, a, k}) * r.input("W").at({ky, kx, c, o, k, b});
      }
    }
  }
  expect_near(r.output(), expected);
}

// Winograd.

// U = G g G^T for every pair of channels of a direct convolution's weight [3, 3, ci, co].
Array transformed_weight(Array& direct, int m) {
  const Matrix g = winograd_matrices(m, 3).g;
  const auto size = static_cast<std::int64_t>(g.size()), ci = direct.shape[2], co = direct.shape[3];
  Array result = zeros({size, size, co, ci});
  for (std::int64_t at = 0; at < size * size * co * ci * 9; ++at) {
    const std::int64_t ky = at % 3, kx = at / 3 % 3, i = at / 9 % ci, o = at / 9 / ci % co;
    const std::int64_t eps = at / 9 / ci / co % size, nu = at / 9 / ci / co / size;
    result.at({eps, nu, o, i}) += g[static_cast<std::size_t>(eps)][static_cast<std::size_t>(ky)] *
                                  g[static_cast<std::size_t>(nu)][static_cast<std::size_t>(kx)] *
                                  direct.at({ky, kx, i, o});
  }
  return result;
}

TEST(Operators, WinogradEqualsDirectConvolution) {
  for (const int m : {2, 4}) {
    for (const char* sizes : {"n=1,ci=3,hw=8,co=2,p=1", "n=2,ci=2,h=5,w=11,co=3,p=1",
                              "ci=2,hw=6,co=2,p=0", "ci=1,h=3,w=4,co=1,p=0", "ci=2,hw=7,co=2,p=2"}) {
      SCOPED_TRACE(fmt::format("m={} {}", m, sizes));
      Answered direct = run(fmt::format("conv2d:{},k=3,layout=nhwc", sizes));
      Answered winograd = run(fmt::format("winograd:{},m={}", sizes, m));
      winograd.input("X") = direct.input("X");
      winograd.input("W") = transformed_weight(direct.input("W"), m);
      winograd.answer();
      // Literals are f32: 1/3 and the like of the transforms are not among them, halves are.
      expect_near(winograd.output(), direct.output());
    }
  }
}

// Pooling.

TEST(Operators, MaxPoolIgnoresPadding) {
  for (const char* layout : {"nchw", "nhwc", "nchw16c"}) {
    const Conv conv{.n = 2, .ci = 3, .h = 7, .w = 6, .s = 2, .p = 1, .layout = layout};
    Answered r = run(conv.text("max_pool"));
    Array expected = zeros(r.output().shape);
    conv.for_each_output(3, [&](auto b, auto c, auto y, auto x) {
      double largest = -100;
      for (std::int64_t at = 0; at < 9; ++at) {
        const double value =
            conv.padded(r.input("X"), b, c, 2 * y + at / 3 - 1, 2 * x + at % 3 - 1, -100);
        largest = std::max(largest, value);
      }
      conv.image(expected, b, c, y, x) = largest;
    });
    expect_near(r.output(), expected);
  }
}

TEST(Operators, AvgPoolCountsPaddingAsZeros) {
  const Conv conv{.ci = 2, .h = 6, .w = 6, .s = 2, .p = 1};
  Answered r = run(conv.text("avg_pool"));
  Array expected = zeros(r.output().shape);
  conv.for_each_output(2, [&](auto b, auto c, auto y, auto x) {
    for (std::int64_t at = 0; at < 9; ++at) {
      conv.image(expected, b, c, y, x) +=
          conv.padded(r.input("X"), b, c, 2 * y + at / 3 - 1, 2 * x + at % 3 - 1) / 9;
    }
  });
  expect_near(r.output(), expected, 1e-6);
}

TEST(Operators, GlobalAvgPoolIsTheMeanOfAChannel) {
  Answered r = run("global_avg_pool:ci=3,h=4,w=5");
  Array expected = zeros({1, 3, 1, 1});
  for (std::size_t i = 0; i < 60; ++i) expected.values[i / 20] += r.input("X").values[i] / 20;
  expect_near(r.output(), expected, 1e-6);
}

// Rows.

TEST(Operators, SoftmaxRowsSumToOneInProportionToTheirExponentials) {
  Answered r = run("softmax:rows=3,cols=5");
  Array expected = zeros({3, 5});
  for (int i = 0; i < 3; ++i) {
    double sum = 0;
    for (int j = 0; j < 5; ++j) sum += std::exp(r.input("A").at({i, j}));
    for (int j = 0; j < 5; ++j) expected.at({i, j}) = std::exp(r.input("A").at({i, j})) / sum;
  }
  expect_near(r.output(), expected);
}

TEST(Operators, LayerNormShiftsAndScalesRows) {
  Answered r = run("layer_norm:rows=3,cols=8");
  Array expected = zeros({3, 8});
  for (int i = 0; i < 3; ++i) {
    double mean = 0, variance = 0;
    for (int j = 0; j < 8; ++j) mean += r.input("A").at({i, j}) / 8;
    for (int j = 0; j < 8; ++j) variance += std::pow(r.input("A").at({i, j}) - mean, 2) / 8;
    for (int j = 0; j < 8; ++j) {
      expected.at({i, j}) =
          (r.input("A").at({i, j}) - mean) / std::sqrt(variance + 1e-5) * r.input("gamma").at({j}) +
          r.input("beta").at({j});
    }
  }
  expect_near(r.output(), expected, 1e-6);
}

TEST(Operators, NormIsTheRootOfAllSquares) {
  Answered r = run("norm:b=2,m=3,n=4");
  Array expected = zeros({2});
  for (std::size_t i = 0; i < 24; ++i) expected.values[i / 12] += std::pow(r.input("A").values[i], 2);
  for (double& value : expected.values) value = std::sqrt(value);
  expect_near(r.output(), expected);
}

TEST(Operators, ArgmaxTakesTheFirstOfEquals) {
  Answered r = run("argmax:rows=2,cols=4,type=i32");
  r.input("A").values = {1, 7, 3, 7, -5, -6, -5, -9};
  r.answer();
  ASSERT_EQ(r.outputs.size(), 2u);
  EXPECT_EQ(r.outputs[0].values, (std::vector<double>{1, 0}));
  EXPECT_EQ(r.outputs[1].values, (std::vector<double>{7, -5}));
}

// Elements and tails.

TEST(Operators, ElementwiseFunctionsAreThoseOfTheirNames) {
  struct Case {
    const char* name;
    double (*function)(double, double);
  };
  const std::vector<Case> cases = {
      {"exp", [](double a, double) { return std::exp(a); }},
      {"log", [](double a, double) { return std::log(a); }},
      {"erf", [](double a, double) { return std::erf(a); }},
      {"tanh", [](double a, double) { return std::tanh(a); }},
      {"sqrt", [](double a, double) { return std::sqrt(a); }},
      {"rsqrt", [](double a, double) { return 1 / std::sqrt(a); }},
      {"sigmoid", [](double a, double) { return 1 / (1 + std::exp(-a)); }},
      {"abs", [](double a, double) { return std::fabs(a); }},
      {"floor", [](double a, double) { return std::floor(a); }},
      {"ceil", [](double a, double) { return std::ceil(a); }},
      {"round", [](double a, double) { return std::nearbyint(a); }},
      {"gelu", [](double a, double) { return a * 0.5 * (1 + std::erf(a / std::sqrt(2))); }},
      {"hswish", [](double a, double) { return a * std::clamp(a + 3, 0.0, 6.0) / 6; }},
      {"relu", [](double a, double) { return std::max(a, 0.0); }},
      {"relu6", [](double a, double) { return std::clamp(a, 0.0, 6.0); }},
      {"add", [](double a, double b) { return a + b; }},
      {"sub", [](double a, double b) { return a - b; }},
      {"mul", [](double a, double b) { return a * b; }},
      {"div", [](double a, double b) { return a / b; }},
      {"min", [](double a, double b) { return std::min(a, b); }},
      {"max", [](double a, double b) { return std::max(a, b); }},
      {"pow", [](double a, double b) { return std::pow(a, b); }},
  };
  std::size_t n_functions = 0;
  for (const OperatorHelp& op : catalogue()) {
    for (const KeyHelp& key : op.keys) n_functions += key.name == "fn" ? key.words.size() : 0;
  }
  EXPECT_EQ(cases.size(), n_functions);
  for (const auto& [name, function] : cases) {
    SCOPED_TRACE(name);
    Answered r = run(fmt::format("elementwise:n=9,fn={}", name));
    std::vector<double>& a = r.inputs[0].values;
    a = {0.1, 0.5, 1, 1.5, 2.5, 3.5, 7, 20, 0.25};
    const bool of_any_sign = std::string(name).find("log") == std::string::npos &&
                             std::string(name).find("sqrt") == std::string::npos &&
                             name != std::string("pow");
    if (of_any_sign) a[1] = -2.5, a[7] = -20;
    r.answer();
    Array expected = zeros({9});
    for (std::size_t i = 0; i < 9; ++i) {
      expected.values[i] = function(a[i], r.inputs.size() > 1 ? r.inputs[1].values[i] : 0);
    }
    expect_near(r.output(), expected, 1e-6);
  }
}

TEST(Operators, TailsFollowInTheirOrderAlongTheChannels) {
  for (const char* layout : {"nchw", "nhwc", "nchw16c"}) {
    SCOPED_TRACE(layout);
    const Conv conv{.ci = 2, .h = 3, .w = 3, .co = 32, .layout = layout};
    Answered r = run(conv.text("conv2d") + ",co=32+bias+bn+add+relu6");
    Array expected = zeros(r.output().shape);
    conv.for_each_output(32, [&](auto b, auto o, auto y, auto x) {
      const auto channel = [&](const char* name) {
        return r.input(name).values[static_cast<std::size_t>(o)];
      };
      const double sum = convolve(conv, r.input("X"), r.input("W"), b, o, y, x) + channel("bias");
      const double added =
          sum * channel("scale") + channel("shift") + conv.image(r.input("residual"), b, o, y, x);
      conv.image(expected, b, o, y, x) = std::clamp(added, 0.0, 6.0);
    });
    expect_near(r.output(), expected);
  }
}

TEST(Operators, SmallIntegersAddUpInWideOnes) {
  Answered r = run("matmul:m=1,n=1,k=1000,type=i8");
  for (Array& input : r.inputs) std::fill(input.values.begin(), input.values.end(), 127);
  r.answer();
  EXPECT_EQ(r.output().values.at(0), 127.0 * 127 * 1000);
}

TEST(Operators, ElementsOfIntegersWrap) {
  Answered r = run("elementwise:n=2,fn=add,type=i8");
  r.inputs[0].values = {100, -100};
  r.inputs[1].values = {100, -100};
  r.answer();
  EXPECT_EQ(r.output().values, (std::vector<double>{-56, 56}));
}

}  // namespace
}  // namespace hone::task
