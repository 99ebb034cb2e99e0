#include "score/tensors.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace hone::score {
namespace {

std::vector<NamedTensor> two() {
  return {{"encoder.0.weight", {2, 3}, {1, 2, 3, -4, 5.5F, 1e-30F}}, {"bias", {1}, {0.25F}}};
}

std::string error_of(const std::string& bytes) {
  try {
    parse_tensors(bytes);
    return "";
  } catch (const UserError& error) {
    return error.what();
  }
}

TEST(Tensors, ComeBackInOrder) { EXPECT_EQ(parse_tensors(print_tensors(two())), two()); }

TEST(Tensors, NoneIsAListToo) { EXPECT_TRUE(parse_tensors(print_tensors({})).empty()); }

TEST(Tensors, CutOrLongerBytesAreRefused) {
  const std::string bytes = print_tensors(two());
  EXPECT_NE(error_of(bytes.substr(0, bytes.size() - 1)).find("end inside 'bias'"), std::string::npos);
  EXPECT_NE(error_of(bytes + "x").find("go on behind"), std::string::npos);
  EXPECT_NE(error_of("").find("no list of tensors"), std::string::npos);
  EXPECT_NE(error_of("{\"tensors\": [[\"w\", [4294967296, 4294967296]]]}\n"), "");
}

TEST(Tensors, WeightsThatAreNoNumbersAreRefused) {
  std::vector<NamedTensor> tensors = two();
  tensors[1].values[0] = NAN;
  EXPECT_NE(error_of(print_tensors(tensors)).find("'bias'"), std::string::npos);
}

TEST(Tensors, AreFoundByNameAndShape) {
  const std::vector<NamedTensor> tensors = two();
  EXPECT_EQ(&find_tensor(tensors, "bias", {1}), &tensors[1]);
  EXPECT_EQ(&find_tensor(tensors, "encoder.0.weight", {-1, 3}), &tensors[0]);
  EXPECT_THROW(find_tensor(tensors, "encoder.0.weight", {3, 2}), UserError);
  EXPECT_THROW(find_tensor(tensors, "encoder.1.weight", {2, 3}), UserError);
}

}  // namespace
}  // namespace hone::score
