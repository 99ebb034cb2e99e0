#include "benchmarks/suites.h"

#include <fmt/format.h>

#include "base/error.h"

namespace hone::bench {
namespace {

// `peer_gflops` are the figures of the reference machine, one thread (see docs/benchmarks.md).
Layer gemm(std::int64_t m, std::int64_t n, std::int64_t k, double peer_gflops) {
  return {fmt::format("{}x{}x{}", m, n, k),
          {fmt::format("matmul:m={},n={},k={}", m, n, k)},
          2.0 * static_cast<double>(m * n * k),
          {[=] { return peer_matmul(1, m, n, k, true); }},
          peer_gflops};
}

std::int64_t out_size(const ConvShape& s) { return (s.h + 2 * s.pad - s.k) / s.stride + 1; }

double conv_flop(const ConvShape& s) {
  return 2.0 *
         static_cast<double>(s.n * s.co * out_size(s) * out_size(s) * (s.ci / s.groups) * s.k * s.k);
}

Layer conv(std::string name, std::int64_t ci, std::int64_t co, std::int64_t k, std::int64_t stride,
           std::int64_t hw, double peer_gflops) {
  const ConvShape s{1, ci, hw, hw, co, k, stride, k / 2, 1};
  const std::string shape =
      fmt::format("conv2d:n=1,ci={},hw={},co={},k={},s={},p={}", ci, hw, co, k, stride, k / 2);
  std::vector<std::string> ops = {shape + ",layout=nhwc"};
  if (ci % 16 == 0 && co % 16 == 0) ops.push_back(shape + ",layout=nchw16c");
  return {std::move(name),
          std::move(ops),
          conv_flop(s),
          {[=] { return peer_conv(s, PeerLayout::Blocked); },
           [=] { return peer_conv(s, PeerLayout::Nhwc); }},
          peer_gflops};
}

Layer depthwise(std::string name, std::int64_t c, std::int64_t stride, std::int64_t hw,
                double peer_gflops) {
  const ConvShape s{1, c, hw, hw, c, 3, stride, 1, c};
  const std::string shape = fmt::format("depthwise:n=1,ci={},hw={},k=3,s={},p=1", c, hw, stride);
  return {std::move(name),
          {shape + ",layout=nhwc", shape + ",layout=nchw16c"},
          conv_flop(s),
          {[=] { return peer_conv(s, PeerLayout::Blocked); },
           [=] { return peer_conv(s, PeerLayout::Nhwc); }},
          peer_gflops};
}

std::vector<Layer> gemm_suite() {
  return {gemm(128, 128, 128, 114),    gemm(512, 512, 512, 116), gemm(1024, 1024, 1024, 114),
          gemm(2048, 2048, 2048, 114), gemm(128, 768, 768, 116), gemm(128, 3072, 768, 112),
          gemm(128, 768, 3072, 112)};
}

std::vector<Layer> resnet50() {
  return {conv("r0", 3, 64, 7, 2, 224, 115),      conv("r1", 64, 64, 1, 1, 56, 114),
          conv("r2", 64, 64, 3, 1, 56, 118),      conv("r3", 64, 256, 1, 1, 56, 111),
          conv("r4", 256, 64, 1, 1, 56, 113),     conv("r5", 256, 128, 1, 1, 56, 113),
          conv("r6", 128, 128, 3, 2, 56, 118),    conv("r7", 128, 512, 1, 1, 28, 114),
          conv("r8", 256, 512, 1, 2, 56, 113),    conv("r9", 512, 128, 1, 1, 28, 115),
          conv("r10", 128, 128, 3, 1, 28, 121),   conv("r11", 512, 256, 1, 1, 28, 115),
          conv("r12", 256, 256, 3, 2, 28, 118),   conv("r13", 256, 1024, 1, 1, 14, 114),
          conv("r14", 512, 1024, 1, 2, 28, 87),   conv("r15", 1024, 256, 1, 1, 14, 116),
          conv("r16", 256, 256, 3, 1, 14, 127),   conv("r17", 1024, 512, 1, 1, 14, 115),
          conv("r18", 512, 512, 3, 2, 14, 118),   conv("r19", 512, 2048, 1, 1, 7, 113),
          conv("r20", 1024, 2048, 1, 2, 14, 107), conv("r21", 2048, 512, 1, 1, 7, 114),
          conv("r22", 512, 512, 3, 1, 7, 132)};
}

std::vector<Layer> mobilenet_v2() {
  return {conv("m0", 3, 32, 3, 2, 224, 106),   depthwise("d1", 32, 1, 112, 69),
          conv("p1", 32, 16, 1, 1, 112, 106),  conv("p2", 16, 96, 1, 1, 112, 90),
          depthwise("d2", 96, 2, 112, 48),     conv("p3", 96, 24, 1, 1, 56, 86),
          conv("p4", 24, 144, 1, 1, 56, 110),  depthwise("d3", 144, 1, 56, 71),
          conv("p5", 144, 24, 1, 1, 56, 87),   depthwise("d4", 144, 2, 56, 49),
          conv("p6", 144, 32, 1, 1, 28, 116),  conv("p7", 32, 192, 1, 1, 28, 113),
          depthwise("d5", 192, 1, 28, 69),     conv("p8", 192, 32, 1, 1, 28, 116),
          depthwise("d6", 192, 2, 28, 53),     conv("p9", 192, 64, 1, 1, 14, 116),
          conv("p10", 64, 384, 1, 1, 14, 115), depthwise("d7", 384, 1, 14, 75),
          conv("p11", 384, 64, 1, 1, 14, 117), conv("p12", 384, 96, 1, 1, 14, 117),
          conv("p13", 96, 576, 1, 1, 14, 116), depthwise("d8", 576, 1, 14, 76),
          conv("p14", 576, 96, 1, 1, 14, 118), depthwise("d9", 576, 2, 14, 58),
          conv("p15", 576, 160, 1, 1, 7, 117), conv("p16", 160, 960, 1, 1, 7, 115),
          depthwise("d10", 960, 1, 7, 83),     conv("p17", 960, 160, 1, 1, 7, 117),
          conv("p18", 960, 320, 1, 1, 7, 117), conv("p19", 320, 1280, 1, 1, 7, 116)};
}

std::vector<Layer> winograd() {
  std::vector<Layer> layers;
  for (Layer layer : resnet50()) {
    if (layer.name != "r2" && layer.name != "r10" && layer.name != "r16" && layer.name != "r22")
      continue;
    const std::string& direct = layer.ops.front();
    const std::string sizes = direct.substr(direct.find(':'), direct.find(",k=") - direct.find(':'));
    layer.ops = {"winograd" + sizes + ",p=1,m=4"};
    layers.push_back(std::move(layer));
  }
  return layers;
}

std::vector<Layer> bert() {
  const auto simple = [](std::string name, std::string op, double flop,
                         std::function<std::unique_ptr<Peer>()> peer) {
    return Layer{std::move(name), {std::move(op)}, flop, {std::move(peer)}, 0};
  };
  const auto products = [](double b, double m, double n, double k) { return 2 * b * m * n * k; };
  return {
      simple("softmax", "softmax:rows=1536,cols=128", 1536.0 * 128 * 5,
             [] { return peer_softmax(1536, 128); }),
      simple("layer_norm", "layer_norm:rows=128,cols=768", 128.0 * 768 * 8,
             [] { return peer_layer_norm(128, 768); }),
      simple("gelu", "elementwise:n=393216,fn=gelu", 393216.0 * 8, [] { return peer_gelu(393216); }),
      simple("scores", "batch_matmul:b=12,m=128,n=128,k=64", products(12, 128, 128, 64),
             [] { return peer_matmul(12, 128, 128, 64, false); }),
      simple("context", "batch_matmul:b=12,m=128,n=64,k=128", products(12, 128, 64, 128),
             [] { return peer_matmul(12, 128, 64, 128, false); })};
}

}  // namespace

std::vector<std::string> suite_names() {
  return {"gemm", "resnet50", "mobilenet_v2", "winograd", "bert"};
}

std::vector<Layer> suite(std::string_view name) {
  if (name == "gemm") return gemm_suite();
  if (name == "resnet50") return resnet50();
  if (name == "mobilenet_v2") return mobilenet_v2();
  if (name == "winograd") return winograd();
  if (name == "bert") return bert();
  throw UserError(fmt::format("there is no suite `{}`", name),
                  "suites: gemm, resnet50, mobilenet_v2, winograd, bert");
}

}  // namespace hone::bench
