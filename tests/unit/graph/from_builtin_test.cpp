#include <gtest/gtest.h>

#include "graph/from_model.h"
#include "graph/verify.h"
#include "model/builtin.h"

namespace hone::graph {
namespace {

class FromBuiltin : public testing::TestWithParam<std::string> {};

TEST_P(FromBuiltin, IsReadWhole) {
  const Graph graph = from_model(model::builtin(GetParam()));
  verify(graph);
  EXPECT_GT(graph.nodes.size(), 10U);
}

INSTANTIATE_TEST_SUITE_P(All, FromBuiltin, testing::ValuesIn(model::builtin_names()));

}  // namespace
}  // namespace hone::graph
