// The catalogue's tasks against the same computations as TVM printed them.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "task/catalogue.h"
#include "task/key.h"
#include "tests/shared_data.h"
#include "tests/unit/task/workloads.h"

namespace hone::task {
namespace {

// Those that do not depend on literals, of which TVM prints six digits only, nor on how TVM nests the
// conditions of a padding, of which it has two ways.
const std::map<std::string, std::string> kSameComputation = {
    {"gmm_512", "matmul:m=512,n=512,k=512"},
    {"gmm_relu_512", "matmul:m=512,n=512,k=512+relu"},
    {"gmm_small_space_4x4x4096", "matmul:m=4,n=4,k=4096"},
    {"c2d_nhwc", "conv2d:ci=64,hw=56,co=64,k=3,p=1,layout=nhwc+bias+relu"},
    {"cap", "capsule_conv2d:ci=32,hw=16,co=32,k=3,s=2,p=1"},
    {"dep", "depthwise:ci=32,hw=112,k=3,p=1"},
    {"dep_relu_s2", "depthwise:ci=96,hw=112,k=3,s=2,p=1+relu"},
    {"t2d", "conv2d_transpose:ci=256,hw=8,co=128,k=4,s=2,p=1"},
    {"tbg_1_128_12_64", "transpose_batch_matmul:seq=128,heads=12,dim=64"},
    {"softmax", "softmax:rows=1536,cols=128"},
    {"nrm_1", "norm:m=256,n=256"},
    {"nrm_16", "norm:b=16,m=256,n=256"},
    {"winograd", "winograd:ci=64,hw=14,co=64,p=1,form=direct"},
};

TEST(catalogue_oracle, WritesTheComputationsOfTvm) {
  HONE_REQUIRE_FILE(oracle_file());
  std::map<std::string, std::string> missing = kSameComputation;
  for_each_object(oracle_file(), [&](const simdjson::dom::element& entry) {
    const std::string name = text_at(entry, "name");
    const auto same = kSameComputation.find(name);
    if (same == kSameComputation.end()) return;
    SCOPED_TRACE(name);
    const Task theirs = parse(text_at(entry, "dag"), {"", facts_at(entry)});
    const Task ours = from_op(same->second);
    EXPECT_EQ(canonical_key(ours), canonical_key(theirs)) << print(ours) << print(theirs);
    missing.erase(name);
  });
  EXPECT_LT(missing.size(), kSameComputation.size()) << "no computation of the oracle is in the list";
}

}  // namespace
}  // namespace hone::task
