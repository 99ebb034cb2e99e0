#include "model/tensor_file.h"

#include <gtest/gtest.h>

#include "model/npy.h"
#include "proto.h"
#include "tests/hex.h"
#include "tests/shared_data.h"

namespace hone::model {
namespace {

// numpy.savez_compressed(a=numpy.arange(6, dtype=float32).reshape(2, 3),
//                        b=numpy.asfortranarray(numpy.arange(6).reshape(2, 3)))
const std::string kNpz = bytes_of_hex(
    "504b03042d0000000800000021004fe9002affffffffffffffff05001400612e6e707901001000980000000000000055"
    "000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a"
    "12774bcc294e058a17672416a402f91a463a0ac69a3a0ab50a64032e063068b007120e4004c40d40bcc00100504b0304"
    "2d000000080000002100f73b7814ffffffffffffffff05001400622e6e707901001000b0000000000000005500000000"
    "0000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e9369a1aea3a09e965f54529498179f5f94920a120f292a"
    "4d050a17672416a402b91a463a0ac69a3a0ab50ae4032e06286086d28c509a054a33416956280d00504b01022d032d00"
    "00000800000021004fe9002a5500000098000000050000000000000000000000800100000000612e6e7079504b01022d"
    "032d000000080000002100f73b781455000000b000000005000000000000000000000080018c000000622e6e7079504b"
    "0506000000000200020066000000180100000000");

Tensor counted(ir::Scalar type, const Shape& shape) {
  Tensor tensor = Tensor::zeros(type, shape);
  const bool is_truth = type == ir::Scalar::Bool;
  const auto bytes = tensor.writable();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(is_truth ? i % 2 : i);
  return tensor;
}

void expect_same(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.type(), b.type());
  EXPECT_EQ(a.shape(), b.shape());
  EXPECT_TRUE(std::ranges::equal(a.bytes(), b.bytes()));
}

std::string npy(const std::string& header, const std::string& elements) {
  const auto length = static_cast<char>(header.size());
  return std::string("\x93NUMPY\1\0", 8) + length + '\0' + header + elements;
}

// What the user is told about a .npy file; empty when nothing is wrong.
std::string complaint(const std::string& bytes) {
  try {
    parse_npy(keep(bytes));
    return "";
  } catch (const UserError& error) {
    return error.hint().empty() ? "no hint" : error.what();
  }
}

TEST(TensorFile, ReadsWhatNumpyWrites) {
  const std::string path = temporary_file("two.npz");
  write_file(path, kNpz);
  const auto tensors = read_tensors(path);
  ASSERT_EQ(tensors.size(), 2U);
  EXPECT_EQ(tensors[0].name, "a");
  EXPECT_EQ(tensors[0].tensor.shape(), (Shape{2, 3}));
  EXPECT_EQ(elements_of<float>(tensors[0].tensor), (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(tensors[1].name, "b");  // its file is in column order
  EXPECT_EQ(elements_of<std::int64_t>(tensors[1].tensor),
            (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(TensorFile, EveryTypeGoesThroughEveryFile) {
  for (int i = 0; i <= static_cast<int>(ir::Scalar::F64); ++i) {
    for (const Shape& shape : {Shape{}, Shape{3}, Shape{2, 3}, Shape{0, 4}}) {
      const NamedTensor given{"t", counted(static_cast<ir::Scalar>(i), shape)};
      for (const char* name : {"t.npy", "t.npz", "t.pb"}) {
        const std::string path = temporary_file(name);
        write_tensors(path, std::span(&given, 1));
        const auto read = read_tensors(path);
        ASSERT_EQ(read.size(), 1U);
        expect_same(read[0].tensor, given.tensor);
        EXPECT_EQ(read[0].name, path.ends_with(".npy") ? "" : "t");
      }
    }
  }
}

TEST(TensorFile, OnlyAnArchiveHoldsSeveral) {
  const std::vector<NamedTensor> tensors{{"x", counted(ir::Scalar::F32, {2})},
                                         {"y", counted(ir::Scalar::U8, {5, 1})}};
  const std::string path = temporary_file("both.npz");
  write_tensors(path, tensors);
  const auto read = read_tensors(path);
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[1].name, "y");
  expect_same(read[1].tensor, tensors[1].tensor);
  EXPECT_THROW(write_tensors(temporary_file("both.npy"), tensors), UserError);
  EXPECT_THROW(write_tensors(temporary_file("both.txt"), tensors), UserError);
}

TEST(TensorFile, HeadersAreReadAsPythonWould) {
  const std::string two = std::string("\1\0\2\0", 4);
  EXPECT_EQ(complaint(npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", two)), "");
  EXPECT_EQ(complaint(npy("{'shape':(1,2),'fortran_order':True,'descr':'<i2'}  \n", two)), "");
  EXPECT_EQ(complaint(npy("{'descr': '|i1', 'fortran_order': False, 'shape': (), }", "x")), "");
}

TEST(TensorFile, RefusesHeadersThatMakeNoArray) {
  const std::string head = "{'descr': '<i2', 'fortran_order': False, 'shape': ";
  EXPECT_PRED2(says, complaint("nothing like it"), "does not begin like one");
  EXPECT_PRED2(says, complaint(npy(head + "(2,), ", "1234")), "lacks `'`");
  EXPECT_PRED2(says, complaint(npy(head + "(x,), }", "1234")), "no list of numbers");
  EXPECT_PRED2(says, complaint(npy(head + "(-2,), }", "1234")), "no tensor has the shape");
  EXPECT_PRED2(says, complaint(npy(head + "(9223372036854775807,), }", "1234")),
               "no tensor has the shape");
  EXPECT_PRED2(says, complaint(npy(head + "(99999999999999999999,), }", "1234")), "no list of numbers");
  EXPECT_PRED2(says, complaint(npy(head + "(3,), }", "1234")), "asks for 6 bytes of data, there are 4");
  EXPECT_PRED2(says, complaint(npy("{'descr': '<i2'}", "12")), "lacks type or shape");
  EXPECT_PRED2(says, complaint(npy("{'descr': '>f4', 'shape': (1,)}", "1234")), "type `>f4`");
  EXPECT_PRED2(says, complaint(npy("{'descr': '<U3', 'shape': ()}", "123456789abc")), "type `<U3`");
  EXPECT_PRED2(says, complaint(npy("{'descr': [('a', '<f4')], 'shape': (1,)}", "1234")), "structures");
  EXPECT_PRED2(says, complaint(npy("{'colour': 'red'}", "")), "the key `colour`");
  EXPECT_PRED2(says, complaint(npy("{'descr': '|b1', 'shape': (1,)}", "x")), "neither 0 nor 1");
}

TEST(TensorFile, NoPrefixOfAnArrayIsOne) {
  const std::string whole = npy("{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }", "1234");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(complaint(whole.substr(0, size)), "") << size;
}

TEST(TensorFile, FilesOfOtherKindsAreNamed) {
  const auto refused = [](const std::string& name, const std::string& bytes) {
    const std::string path = temporary_file(name);
    write_file(path, bytes);
    try {
      read_tensors(path);
      return std::string();
    } catch (const UserError& error) {
      return says(error.what(), path) && !error.hint().empty() ? error.what()
                                                               : std::string("no place, no hint");
    }
  };
  EXPECT_PRED2(says, refused("a.txt", "1 2 3"), "its ending");
  EXPECT_PRED2(says, refused("a.npz", "PK"), "zip archive is damaged");
  EXPECT_PRED2(says, refused("a.npy", ""), "no NumPy array");
  EXPECT_PRED2(says, refused("a.pb", "\xff\xff"), "no TensorProto");
  EXPECT_PRED2(says, refused("a.pb", ""), "type undefined");
  EXPECT_THROW(read_tensors(temporary_file("missing.npy")), UserError);
}

}  // namespace
}  // namespace hone::model
