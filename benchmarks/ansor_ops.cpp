#include "benchmarks/ansor_ops.h"

#include <fmt/format.h>

#include <array>

namespace hone::bench {
namespace {

struct Row {
  const char *name, *op, *batch;  // the key of the batch
  const char* tails;
  std::array<const char*, 4> shapes;
  int main;  // the shape that is searched long
  bool is_quick = false;
};

// The layers of ResNet-18 (C1D, C3D, GRP and DIL are made of its C2D), MobileNet, DCGAN, matrix
// capsules and BERT's attention. C3D has the depths of a 3D-ResNet on 16 frames of 112x112, so that a
// call at batch 16 takes less than a second on one core.
const std::array<Row, 12> kRows = {{
    {"C1D",
     "conv1d:layout=nhwc",
     "n",
     "",
     {"w=256,ci=64,co=128,k=3,s=2,p=1", "w=128,ci=128,co=256,k=1,s=2", "w=64,ci=256,co=256,k=5,p=2",
      "w=32,ci=512,co=512,k=3,p=1"},
     2},
    {"C2D",
     "conv2d:layout=nhwc",
     "n",
     "",
     {"hw=224,ci=3,co=64,k=7,s=2,p=3", "hw=56,ci=64,co=64,k=1", "hw=14,ci=256,co=256,k=3,p=1",
      "hw=7,ci=512,co=512,k=3,p=1"},
     2,
     true},
    {"C3D",
     "conv3d:layout=nhwc",
     "n",
     "",
     {"depth=16,hw=112,ci=3,co=64,k=7,s=2,p=3", "depth=16,hw=56,ci=64,co=64,k=1",
      "depth=4,hw=14,ci=256,co=256,k=3,p=1", "depth=2,hw=7,ci=512,co=512,k=3,p=1"},
     1},
    {"GMM",
     "batch_matmul:",
     "b",
     "",
     {"m=128,n=128,k=128", "m=512,n=512,k=32", "m=512,n=512,k=512", "m=1024,n=1024,k=1024"},
     2,
     true},
    {"GRP",
     "conv2d:layout=nhwc,g=4",
     "n",
     "",
     {"hw=56,ci=64,co=128,k=3,s=2,p=1", "hw=56,ci=64,co=64,k=1", "hw=14,ci=256,co=256,k=3,p=1",
      "hw=7,ci=512,co=512,k=3,p=1"},
     2},
    {"DIL",
     "conv2d:layout=nhwc,d=2",
     "n",
     "",
     {"hw=224,ci=3,co=64,k=7,s=2,p=3", "hw=56,ci=64,co=64,k=1", "hw=14,ci=256,co=256,k=3,p=1",
      "hw=7,ci=512,co=512,k=3,p=1"},
     2},
    {"DEP",
     "depthwise:layout=nhwc",
     "n",
     "",
     {"hw=112,ci=32,k=3,p=1", "hw=112,ci=64,k=3,s=2,p=1", "hw=14,ci=512,k=3,s=2,p=1",
      "hw=7,ci=1024,k=3,p=1"},
     0,
     true},
    {"T2D",
     "conv2d_transpose:layout=nhwc,k=4,s=2,p=1",
     "n",
     "",
     {"hw=4,ci=512,co=256", "hw=8,ci=256,co=128", "hw=16,ci=128,co=64", "hw=32,ci=64,co=3"},
     1},
    {"CAP",
     "capsule_conv2d:k=3,p=1",
     "n",
     "",
     {"hw=16,ci=32,co=32,s=2", "hw=8,ci=32,co=32", "hw=16,ci=8,co=16,s=2", "hw=8,ci=16,co=16"},
     0},
    {"NRM",
     "norm:",
     "b",
     "",
     {"m=256,n=256", "m=512,n=512", "m=1024,n=1024", "m=4096,n=1024"},
     1,
     true},
    {"ConvLayer",
     "conv2d:layout=nhwc",
     "n",
     "+bn+relu",
     {"hw=224,ci=3,co=64,k=7,s=2,p=3", "hw=56,ci=64,co=128,k=3,s=2,p=1", "hw=28,ci=128,co=256,k=1,s=2",
      "hw=7,ci=512,co=512,k=3,p=1"},
     1},
    {"TBG",
     "transpose_batch_matmul:",
     "b",
     "",
     {"seq=128,heads=12,dim=64", "seq=128,heads=16,dim=64", "seq=64,heads=12,dim=128",
      "seq=128,heads=12,dim=128"},
     0},
}};

}  // namespace

std::vector<Case> ansor_ops() {
  std::vector<Case> cases;
  for (const Row& row : kRows) {
    for (const int batch : {1, 16}) {
      for (int shape = 0; shape < 4; ++shape) {
        const std::string op = row.op;
        const bool is_main = batch == 1 && shape == row.main;
        cases.push_back({fmt::format("{}.{}.b{}", row.name, shape, batch),
                         fmt::format("{}{}{}={},{}{}", op, op.ends_with(':') ? "" : ",", row.batch,
                                     batch, row.shapes[static_cast<std::size_t>(shape)], row.tails),
                         is_main, is_main && row.is_quick});
      }
    }
  }
  return cases;
}

}  // namespace hone::bench
