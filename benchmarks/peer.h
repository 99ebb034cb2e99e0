// oneDNN as the peer: the same computations, each in the fastest form that the library offers.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace hone::bench {

struct ConvShape {
  std::int64_t n = 1, ci = 1, h = 1, w = 1, co = 1, k = 1, stride = 1, pad = 0, groups = 1;
};

// A prepared computation with its own warm buffers; weights are already in the layout it wants.
class Peer {
 public:
  virtual ~Peer() = default;
  virtual void run() = 0;
  virtual std::string implementation() const = 0;
};

enum class PeerLayout { Blocked, Nhwc };

std::unique_ptr<Peer> peer_conv(const ConvShape& shape, PeerLayout layout);
std::unique_ptr<Peer> peer_matmul(std::int64_t batch, std::int64_t m, std::int64_t n, std::int64_t k,
                                  bool constant_weights);
std::unique_ptr<Peer> peer_softmax(std::int64_t rows, std::int64_t columns);
std::unique_ptr<Peer> peer_layer_norm(std::int64_t rows, std::int64_t columns);
std::unique_ptr<Peer> peer_gelu(std::int64_t elements);
void set_peer_threads(int threads);

}  // namespace hone::bench
