#include "artefact/verify.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::artefact {
namespace {

codegen::Kernel doubler() {
  codegen::Kernel kernel;
  kernel.name = "double";
  for (const bool is_output : {false, true}) {
    codegen::Parameter parameter;
    parameter.is_output = is_output;
    parameter.size_bytes = 64;
    kernel.parameters.push_back(parameter);
  }
  return kernel;
}

// x -> t -> y, and a loop behind it that copies slices.
Variant good() {
  Variant variant;
  variant.kernels.push_back({doubler(), ""});
  Program& p = variant.program;
  const BufferId x = p.add_input("x", ir::Scalar::F32, {16});
  const BufferId y = p.add_output("y", ir::Scalar::F32, {4, 16});
  const BufferId t = p.add_temporary("t", 64);
  p.steps = {{"first", KernelCall{0, {{x}}, {{t}}}},
             {"loop", Loop{4, 1}},
             {"slice", KernelCall{0, {{t}}, {{y, 0, 64}}}}};
  return variant;
}

template <class Change>
void expect_refused(Change change, const std::string& why) {
  Variant variant = good();
  change(variant.program);
  try {
    verify(variant);
    FAIL() << "accepted: " << why;
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
  }
}

KernelCall& call(Program& program, std::size_t step) {
  return std::get<KernelCall>(program.steps[step].action);
}

TEST(Verify, AcceptsWhatIsRight) { EXPECT_NO_THROW(verify(good())); }

TEST(Verify, RefusesWhatIsNot) {
  expect_refused([](Program& p) { call(p, 2).outputs[0].stride_bytes = 65; },
                 "inside of their buffers");
  expect_refused([](Program& p) { call(p, 2).outputs[0].offset_bytes = -4; },
                 "inside of their buffers");
  expect_refused([](Program& p) { std::get<Loop>(p.steps[1].action).trips = 5; },
                 "inside of their buffers");
  expect_refused([](Program& p) { call(p, 0).outputs[0] = {p.inputs[0]}; }, "are not written");
  expect_refused([](Program& p) { call(p, 0).inputs[0] = {2}; }, "was written before");
  expect_refused([](Program& p) { call(p, 0).inputs.push_back({2}); }, "an operand for each parameter");
  expect_refused([](Program& p) { call(p, 0).kernel = 1; }, "it calls a kernel");
  expect_refused([](Program& p) { p.steps.pop_back(), p.steps.pop_back(); }, "nobody writes it");
  expect_refused([](Program& p) { p.add_view("v", 2, 32, 64); }, "inside of its parent");
  expect_refused([](Program& p) { p.steps[2].action = Loop{1, 0}; }, "a loop in a loop");
}

TEST(Program, Prints) {
  Variant variant = good();
  variant.program.add_view("half", 2, 32, 32);
  call(variant.program, 0).in_place.push_back({0, 0});
  EXPECT_EQ(print(variant.program), R"(input x 64
output y 256
arena t 64
arena half 32 in t+32
kernel 0 (x) -> (t) in place 0:0  # first
loop 4  # loop
  kernel 0 (t) -> (y+64i)  # slice
)");
}

}  // namespace
}  // namespace hone::artefact
