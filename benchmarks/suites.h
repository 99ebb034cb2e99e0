// The layers that bench_kernels and bench_trials run, each as hone's operators and as the peer's shape.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/peer.h"

namespace hone::bench {

struct Layer {
  std::string name;
  std::vector<std::string> ops;  // the computation for `--op`, once a layout
  double flop = 0;  // what GFLOP/s counts: for convolutions the direct form, padding included
  std::vector<std::function<std::unique_ptr<Peer>()>> peers;
  double peer_gflops = 0;  // the peer's best on the reference machine at one thread; 0 when unknown
};

// gemm, resnet50, mobilenet_v2, winograd or bert; UserError for another name.
std::vector<Layer> suite(std::string_view name);
std::vector<std::string> suite_names();

}  // namespace hone::bench
