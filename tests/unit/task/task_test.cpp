#include "task/task.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::task {
namespace {

Op placeholder(const std::string& name) {
  Op op;
  op.outputs = {ir::make_buffer(name, ir::kF32, {8})};
  op.axes = {{ir::variable("i"), 8}};
  return op;
}

// name[i] = sum of the inputs at i
Op sum_of(const std::string& name, const std::vector<const Op*>& inputs) {
  Op op = placeholder(name);
  ir::Expr body;
  for (const Op* input : inputs) {
    const ir::Expr value = ir::load(input->output(), {op.axes[0].var});
    body = body ? body + value : value;
  }
  op.body = {body};
  return op;
}

std::vector<std::string> names(const std::vector<Op>& ops) {
  std::vector<std::string> found;
  for (const Op& op : ops) found.push_back(op.name());
  return found;
}

TEST(Task, StageOrderPutsProducersBeforeTheirReaderInReadingOrder) {
  const Op a = placeholder("a"), b = placeholder("b"), unused = placeholder("unused");
  const Op left = sum_of("left", {&a}), right = sum_of("right", {&b, &a});
  const Op out = sum_of("out", {&right, &left});
  EXPECT_EQ(names(in_stage_order({out, unused, left, a, right, b})),
            (std::vector<std::string>{"b", "a", "right", "left", "out"}));
}

TEST(Task, StageOrderMeetsIndicesBeforeTheLoadTheyIndex) {
  Op table = placeholder("table");
  Op where = placeholder("where");
  where.outputs = {ir::make_buffer("where", ir::kIndex, {8})};
  Op out = placeholder("out");
  const ir::Expr index = ir::load(where.output(), {out.axes[0].var});
  out.body = {ir::load(table.output(), {index})};
  EXPECT_EQ(names(in_stage_order({table, where, out})),
            (std::vector<std::string>{"where", "table", "out"}));
}

TEST(Task, StageOrderRefusesAReadOfAnUnknownBuffer) {
  const Op a = placeholder("a");
  EXPECT_THROW(in_stage_order({sum_of("out", {&a})}), InternalError);
}

TEST(Task, IdentitiesAreNeutral) {
  EXPECT_EQ(ir::as_int(identity_of(Reducer::Max, {ir::Scalar::I8, 1})), -128);
  EXPECT_EQ(ir::as_int(identity_of(Reducer::Min, {ir::Scalar::U8, 1})), 255);
  EXPECT_EQ(ir::as_int(identity_of(Reducer::Min, {ir::Scalar::I64, 1})), INT64_MAX);
  EXPECT_EQ(identity_of(Reducer::Max, {ir::Scalar::F16, 1}).as<ir::FloatImm>()->value, -65504.0);
  EXPECT_EQ(identity_of(Reducer::Prod, ir::kF32).as<ir::FloatImm>()->value, 1.0);
  EXPECT_THROW(identity_of(Reducer::None, ir::kF32), InternalError);
}

TEST(Task, ArgMaxCarriesIndexAndValue) {
  const ir::Expr a = ir::variable("a"), b = ir::variable("b"), x = ir::variable("x", ir::kF32),
                 y = ir::variable("y", ir::kF32);
  const std::vector<ir::Expr> both = combine(Reducer::ArgMax, {a, x}, {b, y});
  ASSERT_EQ(both.size(), 2U);
  EXPECT_EQ(both[0].type(), ir::kIndex);
  EXPECT_EQ(both[1].type(), ir::kF32);
  EXPECT_THROW(combine(Reducer::ArgMax, x, y), InternalError);
}

}  // namespace
}  // namespace hone::task
