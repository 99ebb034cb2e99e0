#include "model/tensor.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace hone::model {
namespace {

TEST(Tensor, AScalarHasOneElement) {
  const Tensor scalar = Tensor::zeros(ir::Scalar::I64, {});
  EXPECT_EQ(scalar.size(), 1);
  EXPECT_EQ(scalar.bytes().size(), 8U);
}

TEST(Tensor, IsWrittenToOnlyWhileNobodySharesIt) {
  Tensor tensor = Tensor::zeros(ir::Scalar::F32, {2, 3});
  EXPECT_EQ(tensor.writable().size(), 24U);
  const Tensor copy = tensor;
  EXPECT_THROW(tensor.writable(), InternalError);
  EXPECT_EQ(copy.as<float>().data(), tensor.as<float>().data());
}

TEST(Tensor, AnotherShapeHasAsManyElements) {
  const Tensor tensor = Tensor::zeros(ir::Scalar::F32, {2, 3});
  EXPECT_EQ(tensor.reshaped({6}).shape(), Shape{6});
  EXPECT_THROW(tensor.reshaped({7}), InternalError);
}

}  // namespace
}  // namespace hone::model
