// Convolutions and pooling of the catalogue against loops written from their definitions.
#include <fmt/format.h>

#include <algorithm>

#include "task/winograd.h"
#include "tests/unit/task/answered.h"

namespace hone::task {
namespace {

// Sizes of a convolution or pooling, and its tensors in coordinates that know nothing of layouts.
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

TEST(ImageOperators, Conv2dIsAConvolutionInEveryLayout) {
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

TEST(ImageOperators, DepthwiseConvolvesEachChannelAlone) {
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

TEST(ImageOperators, Conv1dIsConv2dOfOneRow) {
  Answered line = run("conv1d:n=2,ci=4,w=9,co=6,k=3,s=2,p=1,g=2");
  Answered image = run("conv2d:n=2,ci=4,h=1,w=9,co=6,kh=1,kw=3,s=2,pw=1,g=2");
  EXPECT_EQ(line.output().shape, (Indices{2, 6, 5}));
  EXPECT_EQ(line.output().values, image.output().values);
}

TEST(ImageOperators, Conv3dOfOneSliceIsConv2d) {
  Answered volume = run("conv3d:ci=2,depth=1,hw=5,co=3,kd=1,kh=3,kw=3,ph=1,pw=1,layout=nhwc");
  Answered image = run("conv2d:ci=2,hw=5,co=3,k=3,p=1,layout=nhwc");
  EXPECT_EQ(volume.output().shape, (Indices{1, 1, 5, 5, 3}));
  EXPECT_EQ(volume.output().values, image.output().values);
}

TEST(ImageOperators, Conv3dSumsOverItsDepth) {
  Answered r = run("conv3d:ci=2,dhw=3,co=1,k=3");
  double expected = 0;
  for (std::size_t i = 0; i < 54; ++i) expected += r.input("X").values[i] * r.input("W").values[i];
  EXPECT_NEAR(r.output().values.at(0), expected, 1e-12);
}

// Each input element adds the kernel, times itself, to the output around it.
TEST(ImageOperators, TransposedConvScatters) {
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
                conv.layout == "nhwc" ? weights.at({ky, kx, i, o}) : weights.at({i, o, ky, kx});
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

TEST(ImageOperators, CapsuleConvMultipliesMatrices) {
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

TEST(ImageOperators, WinogradEqualsDirectConvolution) {
  for (const char* variant : {"m=2", "m=4", "m=2,form=direct", "m=4,form=direct"}) {
    const int m = variant[2] - '0';
    for (const char* sizes : {"n=1,ci=3,hw=8,co=2,p=1", "n=2,ci=2,h=5,w=11,co=3,p=1",
                              "ci=2,hw=6,co=2,p=0", "ci=1,h=3,w=4,co=1,p=0", "ci=2,hw=7,co=2,p=2"}) {
      SCOPED_TRACE(fmt::format("{} {}", variant, sizes));
      Answered direct = run(fmt::format("conv2d:{},k=3,layout=nhwc", sizes));
      Answered winograd = run(fmt::format("winograd:{},{}", sizes, variant));
      winograd.input("X") = direct.input("X");
      winograd.input("W") = transformed_weight(direct.input("W"), m);
      winograd.answer();
      expect_near(winograd.output(), direct.output());
    }
  }
}

TEST(ImageOperators, MaxPoolIgnoresPadding) {
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

TEST(ImageOperators, AvgPoolCountsPaddingAsZeros) {
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

TEST(ImageOperators, GlobalAvgPoolIsTheMeanOfAChannel) {
  Answered r = run("global_avg_pool:ci=3,h=4,w=5");
  Array expected = zeros({1, 3, 1, 1});
  for (std::size_t i = 0; i < 60; ++i) expected.values[i / 20] += r.input("X").values[i] / 20;
  expect_near(r.output(), expected, 1e-6);
}

TEST(ImageOperators, TailsFollowInTheirOrderAlongTheChannels) {
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

}  // namespace
}  // namespace hone::task
