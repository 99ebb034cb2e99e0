#include "model/take_tensor.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "proto.h"
#include "tests/shared_data.h"

namespace hone::model {
namespace {

using Proto = onnx::TensorProto;

Tensor take(Proto proto) {
  ExternalData files(".");
  return take_tensor(proto, files);
}

Proto vector_of(Proto::DataType type, std::int64_t size) {
  Proto proto;
  proto.set_name("v");
  proto.set_data_type(type);
  proto.add_dims(size);
  return proto;
}

TEST(TakeTensor, ReadsEveryTypeFromItsField) {
  const auto small = [](Proto::DataType type, std::initializer_list<std::int32_t> values) {
    auto proto = vector_of(type, static_cast<std::int64_t>(values.size()));
    for (const auto value : values) proto.add_int32_data(value);
    return take(proto);
  };
  EXPECT_EQ(elements_of<std::int32_t>(small(Proto::INT32, {-5, 70000})),
            (std::vector<std::int32_t>{-5, 70000}));
  EXPECT_EQ(elements_of<std::int16_t>(small(Proto::INT16, {-5, 300})),
            (std::vector<std::int16_t>{-5, 300}));
  EXPECT_EQ(elements_of<std::int8_t>(small(Proto::INT8, {-128, 127})),
            (std::vector<std::int8_t>{-128, 127}));
  EXPECT_EQ(elements_of<std::uint16_t>(small(Proto::UINT16, {65535})),
            (std::vector<std::uint16_t>{65535}));
  EXPECT_EQ(elements_of<std::uint8_t>(small(Proto::UINT8, {255, 0})),
            (std::vector<std::uint8_t>{255, 0}));
  EXPECT_EQ(elements_of<std::uint8_t>(small(Proto::BOOL, {1, 0})), (std::vector<std::uint8_t>{1, 0}));
  EXPECT_EQ(elements_of<std::uint16_t>(small(Proto::FLOAT16, {0x3c00})),
            (std::vector<std::uint16_t>{0x3c00}));
  EXPECT_EQ(small(Proto::BFLOAT16, {0x3f80}).type(), ir::Scalar::BF16);
  auto proto = vector_of(Proto::DOUBLE, 1);
  proto.add_double_data(0.1);
  EXPECT_EQ(elements_of<double>(take(proto)), (std::vector<double>{0.1}));
  proto = vector_of(Proto::INT64, 1);
  proto.add_int64_data(std::int64_t{1} << 40);
  EXPECT_EQ(elements_of<std::int64_t>(take(proto)), (std::vector<std::int64_t>{std::int64_t{1} << 40}));
  proto = vector_of(Proto::UINT64, 1);
  proto.add_uint64_data(~std::uint64_t{0});
  EXPECT_EQ(elements_of<std::uint64_t>(take(proto)), (std::vector<std::uint64_t>{~std::uint64_t{0}}));
  proto = vector_of(Proto::UINT32, 1);
  proto.add_uint64_data(4000000000U);
  EXPECT_EQ(elements_of<std::uint32_t>(take(proto)), (std::vector<std::uint32_t>{4000000000U}));
}

TEST(TakeTensor, TakesRawDataWithoutACopy) {
  auto proto = vector_of(Proto::FLOAT, 64);
  proto.set_raw_data(std::string(64 * sizeof(float), '\0'));
  const void* before = proto.raw_data().data();
  ExternalData files(".");
  EXPECT_EQ(take_tensor(proto, files).bytes().data(), before);
}

TEST(TakeTensor, AScalarAndNothingAtAllAreTensors) {
  auto proto = vector_of(Proto::FLOAT, 0);
  EXPECT_EQ(take(proto).size(), 0);
  proto.clear_dims();
  proto.add_float_data(2.0F);
  EXPECT_EQ(elements_of<float>(take(proto)), (std::vector<float>{2.0F}));
}

TEST(TakeTensor, RefusesShapesThatCannotBe) {
  constexpr auto kHuge = std::numeric_limits<std::int64_t>::max();
  using Dims = std::vector<std::int64_t>;
  for (const auto& dims : {Dims{-1}, Dims{2, -2}, Dims{kHuge}, Dims{kHuge, kHuge, 0}, Dims{0, kHuge, 2},
                           Dims{-kHuge - 1}}) {
    auto model = add_model();
    weight_of(model).mutable_dims()->Assign(dims.begin(), dims.end());
    EXPECT_PRED2(says, complaint(model), "tensor `w`: no tensor has the shape");
  }
}

TEST(TakeTensor, RefusesDataThatDoesNotFillTheShape) {
  auto model = add_model();
  weight_of(model).add_dims(1 << 30);  // does not ask for memory first
  EXPECT_PRED2(says, complaint(model), "asks for 8589934592 bytes of data, there are 8");
  weight_of(model) = vector_of(Proto::FLOAT, 2);
  weight_of(model).set_raw_data("1234567");
  EXPECT_PRED2(says, complaint(model), "there are 7");
  weight_of(model).clear_raw_data();
  EXPECT_PRED2(says, complaint(model), "there are 0");
  weight_of(model).set_data_type(Proto::INT64);  // the elements lie in the field of another type
  weight_of(model).add_float_data(1.0F);
  EXPECT_PRED2(says, complaint(model), "there are 0");
}

TEST(TakeTensor, RefusesValuesThatTheTypeDoesNotHave) {
  auto model = add_model();
  weight_of(model) = vector_of(Proto::UINT8, 1);
  weight_of(model).add_int32_data(256);
  EXPECT_PRED2(says, complaint(model), "256 is out of its type's range");
  weight_of(model) = vector_of(Proto::BOOL, 1);
  weight_of(model).set_raw_data("\2");
  EXPECT_PRED2(says, complaint(model), "neither 0 nor 1");
}

TEST(TakeTensor, NamesATypeThatHoneDoesNotCompute) {
  auto model = add_model();
  for (const auto& [number, name] : std::map<int, const char*>{{8, "string"},
                                                               {14, "complex64"},
                                                               {19, "float8e5m2"},
                                                               {22, "int4"},
                                                               {0, "undefined"},
                                                               {99, "number 99"},
                                                               {-1, "number -1"}}) {
    weight_of(model).set_data_type(number);
    EXPECT_PRED2(says, complaint(model), std::string("tensor `w`: elements of type ") + name);
  }
}

class External : public testing::Test {
 protected:
  External() : folder_(temporary_file("folder")) {
    std::filesystem::create_directories(folder_ / "data");
    const float values[] = {0.0F, 1.0F, 2.0F, 3.0F};
    write_file(folder_ / "data/w.bin",
               "x" + std::string(reinterpret_cast<const char*>(values), sizeof values));
    auto& weight = weight_of(model_);
    weight.clear_float_data();
    weight.set_data_location(Proto::EXTERNAL);
  }
  ~External() override { std::filesystem::remove_all(folder_); }

  onnx::ModelProto& lies(const std::string& location, const std::string& offset,
                         const std::string& length) {
    weight_of(model_).clear_external_data();
    for (const auto& [key, value] : std::map<std::string, std::string>{
             {"location", location}, {"offset", offset}, {"length", length}}) {
      if (value.empty()) continue;
      auto& entry = *weight_of(model_).add_external_data();
      entry.set_key(key);
      entry.set_value(value);
    }
    return model_;
  }
  std::string complaint(const std::string& location, const std::string& offset,
                        const std::string& length) {
    return model::complaint(lies(location, offset, length), folder_ / "m.onnx");
  }

  std::filesystem::path folder_;
  onnx::ModelProto model_ = add_model();
};

TEST_F(External, ElementsLieInAFileBesideTheModel) {
  const Model model = parse(lies("data/w.bin", "5", "8"), folder_ / "m.onnx");
  EXPECT_EQ(elements_of<float>(model.graph.initializers.at("w")), (std::vector<float>{1.0F, 2.0F}));
  const Model rest = parse(lies("data/w.bin", "9", ""), folder_ / "m.onnx");
  EXPECT_EQ(elements_of<float>(rest.graph.initializers.at("w")), (std::vector<float>{2.0F, 3.0F}));
}

TEST_F(External, ModelsStayInTheirFolder) {
  for (const char* location : {"../w.bin", "/etc/passwd", "data/../../w.bin", ""})
    EXPECT_PRED2(says, complaint(location, "0", "8"), "outside of the model's folder") << location;
}

TEST_F(External, RefusesPlacesThatAreNotThere) {
  EXPECT_PRED2(says, complaint("data/none.bin", "0", "8"), "tensor `w`: cannot read");
  EXPECT_PRED2(says, complaint("data", "0", "8"), "it is a folder");
  EXPECT_PRED2(says, complaint("data/w.bin", "12", "8"), "beyond its end");
  EXPECT_PRED2(says, complaint("data/w.bin", "99", ""), "beyond its end");
  EXPECT_PRED2(says, complaint("data/w.bin", "8", "18446744073709551615"), "beyond its end");
  EXPECT_PRED2(says, complaint("data/w.bin", "-1", "8"), "is no number");
  EXPECT_PRED2(says, complaint("data/w.bin", "0", "12"), "there are 12");
}

}  // namespace
}  // namespace hone::model
