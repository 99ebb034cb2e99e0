#include "benchmarks/peer.h"

#include <omp.h>

#include <random>
#include <unordered_map>
#include <vector>

#include <dnnl.hpp>

namespace hone::bench {
namespace {

using dnnl::memory;
using Tag = memory::format_tag;
using Arguments = std::unordered_map<int, memory>;

dnnl::engine& engine() {
  static dnnl::engine cpu(dnnl::engine::kind::cpu, 0);
  return cpu;
}

memory::desc describe(const memory::dims& dims, Tag tag) { return {dims, memory::data_type::f32, tag}; }

// Memory of the wanted form, filled with random numbers.
memory filled(const memory::desc& desc) {
  memory m(desc, engine());
  auto* data = static_cast<float*>(m.get_data_handle());
  std::minstd_rand random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (std::size_t i = 0; i < desc.get_size() / sizeof(float); ++i) data[i] = uniform(random);
  return m;
}

class Primitive : public Peer {
 public:
  Primitive(dnnl::primitive primitive, Arguments arguments, std::string implementation)
      : stream_(engine()),
        primitive_(std::move(primitive)),
        arguments_(std::move(arguments)),
        implementation_(std::move(implementation)) {}
  void run() override {
    primitive_.execute(stream_, arguments_);
    stream_.wait();
  }
  std::string implementation() const override { return implementation_; }

 private:
  dnnl::stream stream_;
  dnnl::primitive primitive_;
  Arguments arguments_;
  std::string implementation_;
};

}  // namespace

void set_peer_threads(int threads) { omp_set_num_threads(threads); }

std::unique_ptr<Peer> peer_conv(const ConvShape& s, PeerLayout layout) {
  using Conv = dnnl::convolution_forward;
  const std::int64_t oh = (s.h + 2 * s.pad - s.k) / s.stride + 1,
                     ow = (s.w + 2 * s.pad - s.k) / s.stride + 1;
  const Tag data = layout == PeerLayout::Nhwc ? Tag::nhwc : Tag::any;
  const memory::dims weight_dims =
      s.groups == 1 ? memory::dims{s.co, s.ci, s.k, s.k}
                    : memory::dims{s.groups, s.co / s.groups, s.ci / s.groups, s.k, s.k};
  const Conv::desc desc(dnnl::prop_kind::forward_inference, dnnl::algorithm::convolution_direct,
                        describe({s.n, s.ci, s.h, s.w}, data), describe(weight_dims, Tag::any),
                        describe({s.n, s.co, oh, ow}, data), {s.stride, s.stride}, {s.pad, s.pad},
                        {s.pad, s.pad});
  const Conv::primitive_desc pd(desc, engine());
  Arguments arguments{{DNNL_ARG_SRC, filled(pd.src_desc())},
                      {DNNL_ARG_WEIGHTS, filled(pd.weights_desc())},
                      {DNNL_ARG_DST, filled(pd.dst_desc())}};
  return std::make_unique<Primitive>(Conv(pd), std::move(arguments), pd.impl_info_str());
}

std::unique_ptr<Peer> peer_matmul(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k,
                                  bool constant_weights) {
  const bool is_batched = batch > 1;
  const auto dims = [&](std::int64_t a, std::int64_t b) {
    return is_batched ? memory::dims{batch, a, b} : memory::dims{a, b};
  };
  const Tag plain = is_batched ? Tag::abc : Tag::ab;
  const dnnl::matmul::desc desc(describe(dims(m, k), plain),
                                describe(dims(k, n), constant_weights ? Tag::any : plain),
                                describe(dims(m, n), plain));
  const dnnl::matmul::primitive_desc pd(desc, engine());
  Arguments arguments{{DNNL_ARG_SRC, filled(pd.src_desc())},
                      {DNNL_ARG_WEIGHTS, filled(pd.weights_desc())},
                      {DNNL_ARG_DST, filled(pd.dst_desc())}};
  return std::make_unique<Primitive>(dnnl::matmul(pd), std::move(arguments), pd.impl_info_str());
}

std::unique_ptr<Peer> peer_softmax(std::int64_t rows, std::int64_t columns) {
  const memory::desc data = describe({rows, columns}, Tag::ab);
  const dnnl::softmax_forward::desc desc(dnnl::prop_kind::forward_inference, data, 1);
  const dnnl::softmax_forward::primitive_desc pd(desc, engine());
  Arguments arguments{{DNNL_ARG_SRC, filled(data)}, {DNNL_ARG_DST, filled(data)}};
  return std::make_unique<Primitive>(dnnl::softmax_forward(pd), std::move(arguments),
                                     pd.impl_info_str());
}

std::unique_ptr<Peer> peer_layer_norm(std::int64_t rows, std::int64_t columns) {
  const memory::desc data = describe({rows, columns}, Tag::ab);
  const dnnl::layer_normalization_forward::desc desc(
      dnnl::prop_kind::forward_inference, data, 1e-5F,
      dnnl::normalization_flags::use_scale | dnnl::normalization_flags::use_shift);
  const dnnl::layer_normalization_forward::primitive_desc pd(desc, engine());
  const memory::desc vector = describe({columns}, Tag::a);
  Arguments arguments{{DNNL_ARG_SRC, filled(data)},
                      {DNNL_ARG_DST, filled(data)},
                      {DNNL_ARG_SCALE, filled(vector)},
                      {DNNL_ARG_SHIFT, filled(vector)}};
  return std::make_unique<Primitive>(dnnl::layer_normalization_forward(pd), std::move(arguments),
                                     pd.impl_info_str());
}

std::unique_ptr<Peer> peer_gelu(std::int64_t elements) {
  const memory::desc data = describe({elements}, Tag::a);
  const dnnl::eltwise_forward::desc desc(dnnl::prop_kind::forward_inference,
                                         dnnl::algorithm::eltwise_gelu_erf, data, 0.F, 0.F);
  const dnnl::eltwise_forward::primitive_desc pd(desc, engine());
  Arguments arguments{{DNNL_ARG_SRC, filled(data)}, {DNNL_ARG_DST, filled(data)}};
  return std::make_unique<Primitive>(dnnl::eltwise_forward(pd), std::move(arguments),
                                     pd.impl_info_str());
}

}  // namespace hone::bench
