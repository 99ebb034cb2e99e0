// From a task to a checked measurement, with code that was really generated.
#include "measure/reference.h"

#include <gtest/gtest.h>

#include "codegen/compile.h"
#include "measure/expectation.h"
#include "measure/measurer.h"
#include "target/target.h"
#include "task/catalogue.h"

namespace hone::measure {
namespace {

Measurement measured(const std::string& op, double slack = 1) {
  const auto task = std::make_shared<const task::Task>(task::from_op(op));
  const target::Target target = target::host();
  TaskData data = expectations(*task, {.slack = slack});
  data.reference = reference_kernel(task, target);
  Measurer measurer({});
  measurer.begin(data);
  return measurer.measure({[&] { return codegen::compile(task, {}, target); }}).at(0);
}

TEST(Reference, AgreesWithSamplesAndPackedCode) {
  for (const char* op : {"matmul:m=20,n=33,k=70+bias+relu", "softmax:rows=9,cols=31",
                         "conv2d:n=1,ci=5,hw=9,co=18,k=3,s=2,p=1,layout=nhwc+bias+relu"}) {
    const Measurement result = measured(op);
    EXPECT_EQ(result.status, Status::Ok) << op << ": " << result.message;
    EXPECT_TRUE(result.checked);
  }
}

// One number of four million squares: summed one by one in single precision it is off by 1.5 parts in a
// thousand, so what is compared with it must be computed otherwise.
TEST(Reference, IsNotNeededWhereEveryElementIsComputedByTheDefinition) {
  const task::Task norm = task::from_op("norm:b=1,m=4096,n=1024");
  const TaskData data = expectations(norm);
  EXPECT_TRUE(data.is_sampled_whole);
  ASSERT_EQ(data.samples.size(), 1u);
  EXPECT_FALSE(expectations(task::from_op("matmul:m=200,n=300,k=70")).is_sampled_whole);
}

}  // namespace
}  // namespace hone::measure
