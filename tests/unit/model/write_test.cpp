#include "model/write.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "model/build.h"
#include "model/builtin.h"
#include "proto.h"
#include "tests/shared_data.h"

namespace hone::model {
namespace {

// Everything that a model can hold, once.
Model full_model() {
  Build build("full");
  const Value x = build.input("x", ir::Scalar::F32, {2, 3});
  const Value weight = build.weight("w", {2, 300}, deviating(1));
  const auto body =
      std::make_shared<const Nodes>(Nodes{.nodes = {{"", "custom", "Same", {"x"}, {"b"}, {}}},
                                          .initializers = {},
                                          .inputs = {},
                                          .outputs = {"b"}});
  const Value y = build.add("Odd", "odd", {x, weight, {"", {}}}, {2},
                            {{"integer", std::int64_t{-3}},
                             {"float", 0.25},
                             {"string", std::string("text")},
                             {"tensor", float_scalar(4)},
                             {"integers", std::vector<std::int64_t>{1, -2}},
                             {"floats", std::vector<double>{0.5}},
                             {"strings", std::vector<std::string>{"a", "b"}},
                             {"graph", body}});
  Model model = std::move(build).finish({{"y", y}});
  model.opsets["custom"] = 3;
  model.inputs[0].shape->at(0) = {.extent = {}, .symbol = "batch"};
  model.inputs[0].shape->at(1) = {};
  model.outputs[0].shape = {};
  return model;
}

TEST(Write, WhatIsWrittenIsReadAgain) {
  const std::string path = temporary_file("full.onnx");
  const Model model = full_model();
  write(model, path);
  const Model again = read(path);
  EXPECT_EQ(to_bytes(again), to_bytes(model));
  EXPECT_EQ(again.inputs[0].shape->at(0).symbol, "batch");
  EXPECT_EQ(again.graph.nodes[0].inputs[2], "");
  EXPECT_FALSE(again.outputs[0].shape);
  std::filesystem::remove(path);
}

TEST(Write, LargeModelsKeepTheirWeightsInAnotherFile) {
  const std::string path = temporary_file("squeezenet.onnx");
  const Model model = builtin("squeezenet");
  write(model, path, {.largest_inline_bytes = 1000});
  EXPECT_LT(std::filesystem::file_size(path), 100'000U);
  EXPECT_GT(std::filesystem::file_size(path + ".data"), 4'900'000U);
  EXPECT_EQ(to_bytes(read(path)), to_bytes(model));
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".data");
}

TEST(Write, LeavesNothingBehindWhereItCannotWrite) {
  const std::string folder = temporary_file("folder.onnx");
  std::filesystem::create_directories(folder);
  EXPECT_THROW(write(full_model(), folder), UserError);
  EXPECT_FALSE(std::filesystem::exists(folder + ".part"));
  EXPECT_THROW(write(full_model(), folder, {.largest_inline_bytes = 0}), UserError);
  EXPECT_FALSE(std::filesystem::exists(folder + ".data"));
  std::filesystem::remove(folder);
  EXPECT_THROW(write(full_model(), folder + "/none/m.onnx"), UserError);
}

}  // namespace
}  // namespace hone::model
