#include "task/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "ir/print.h"
#include "task/analysis.h"

namespace hone::task {
namespace {

// Every op as name[shape], computed ones with their reduction's extents and a type other than f32.
std::string shapes(const Task& task) {
  std::string text;
  for (const Op& op : task.ops) {
    text +=
        fmt::format("{}{}[{}]", text.empty() ? "" : " ", op.name(), fmt::join(op.output()->shape, ","));
    if (op.output()->type != ir::kF32) text += ":" + ir::to_string(op.output()->type);
    if (op.reduce_axes.empty()) continue;
    std::vector<std::int64_t> extents;
    for (const Axis& axis : op.reduce_axes) extents.push_back(axis.extent);
    text += fmt::format("+[{}]", fmt::join(extents, ","));
  }
  return text;
}

const Op& op_named(const Task& task, const std::string& name) {
  for (const Op& op : task.ops) {
    if (op.name() == name) return op;
  }
  throw std::out_of_range(name);
}

// Throws out of the test when nothing is wrong with the text.
UserError error_of(const std::string& text) {
  try {
    from_op(text);
  } catch (const UserError& error) {
    return error;
  }
  throw std::logic_error("no error: " + text);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

struct Case {
  std::string text, shapes;
  double flop;
};

// Shapes and FLOP counts of the same computations in TVM; where TVM pads by nothing, hone leaves the
// padding out, and a mean divides.
TEST(Catalogue, ShapesAndWorkAreThoseOfTvm) {
  const std::vector<Case> cases = {
      {"matmul:m=512,n=512,k=512", "A[512,512] B[512,512] C[512,512]+[512]", 268435456},
      {"matmul:m=512,n=512,k=512+relu", "A[512,512] B[512,512] C[512,512]+[512] relu[512,512]",
       268697600},
      {"dense:m=1,n=1000,k=2048+bias+gelu",
       "A[1,2048] B[1000,2048] C[1,1000]+[2048] bias[1000] bias_add[1,1000] gelu[1,1000]", 4101000},
      {"batch_matmul:b=12,m=128,n=128,k=64", "A[12,128,64] B[12,64,128] C[12,128,128]+[64]", 25165824},
      {"transpose_batch_matmul:seq=128,heads=12,dim=64",
       "Q[1,128,12,64] QT[1,12,128,64] K[1,128,12,64] KT[1,12,64,128] O[1,12,128,128]+[64]", 25165824},
      {"conv1d:ci=64,w=256,co=128,k=3,s=2,p=1",
       "X[1,64,256] pad[1,64,258] W[128,64,3] conv[1,128,128]+[64,3]", 6291456},
      {"conv2d:ci=64,hw=56,co=64,k=3,p=1+bn+relu",
       "X[1,64,56,56] pad[1,64,58,58] W[64,64,3,3] conv[1,64,56,56]+[64,3,3] scale[64] shift[64] "
       "bn[1,64,56,56] relu[1,64,56,56]",
       231813120},
      {"conv2d:ci=64,hw=56,co=64,k=3,p=1,layout=nhwc+bias+relu",
       "X[1,56,56,64] pad[1,58,58,64] W[3,3,64,64] conv[1,56,56,64]+[3,3,64] bias[64] "
       "bias_add[1,56,56,64] relu[1,56,56,64]",
       231612416},
      {"conv2d:ci=256,hw=14,co=256,k=1+bias+add+relu",
       "X[1,256,14,14] W[256,256,1,1] conv[1,256,14,14]+[256,1,1] bias[256] bias_add[1,256,14,14] "
       "residual[1,256,14,14] add[1,256,14,14] relu[1,256,14,14]",
       25840640},
      {"conv2d:ci=64,hw=56,co=64,k=3,p=2,d=2",
       "X[1,64,56,56] pad[1,64,60,60] W[64,64,3,3] conv[1,64,56,56]+[64,3,3]", 231211008},
      {"conv2d:ci=64,hw=56,co=128,k=3,s=2,p=1,g=4",
       "X[1,64,56,56] pad[1,64,58,58] W[128,16,3,3] conv[1,128,28,28]+[16,3,3]", 28901376},
      {"conv2d:ci=64,hw=56,co=128,k=3,p=1,layout=nchw16c+bias",
       "X[1,4,56,56,16] pad[1,4,58,58,16] W[8,4,3,3,16,16] conv[1,8,56,56,16]+[4,3,3,16] bias[8,16] "
       "bias_add[1,8,56,56,16]",
       462823424},
      {"conv3d:ci=32,dhw=14,co=32,k=3,p=1",
       "X[1,32,14,14,14] pad[1,32,16,16,16] W[32,32,3,3,3] conv[1,32,14,14,14]+[32,3,3,3]", 151732224},
      {"depthwise:ci=96,hw=112,k=3,s=2,p=1+relu",
       "X[1,96,112,112] pad[1,96,114,114] W[96,3,3] depthwise[1,96,56,56]+[3,3] relu[1,96,56,56]",
       5720064},
      {"conv2d_transpose:ci=256,hw=8,co=128,k=4,s=2,p=1",
       "X[1,256,8,8] dilate_pad[1,256,19,19] W[256,128,4,4] transposed_conv[1,128,16,16]+[256,4,4]",
       268435456},
      {"capsule_conv2d:ci=32,hw=16,co=32,k=3,s=2,p=1",
       "X[1,16,16,32,4,4] pad[1,18,18,32,4,4] W[3,3,32,32,4,4] capsule[1,8,8,32,4,4]+[3,3,32,4]",
       75497472},
      {"winograd:ci=64,hw=14,co=64,p=1,form=direct",
       "X[1,14,14,64] data_pad[1,18,18,64] input_tile[6,6,16,64] B[6,6] data_pack[6,6,16,64]+[6,6] "
       "W[6,6,64,64] bgemm[6,6,16,64]+[64] A[6,4] inverse[4,4,16,64]+[6,6] conv2d_winograd[1,14,14,64]",
       10469376},
      {"max_pool:ci=64,hw=112,k=3,s=2,p=1", "X[1,64,112,112] pad[1,64,114,114] pool[1,64,56,56]+[3,3]",
       1806336},
      {"global_avg_pool:ci=2048,hw=7", "X[1,2048,7,7] pool[1,2048,1,1]+[7,7] mean[1,2048,1,1]",
       100352 + 2048},
      {"avg_pool:ci=8,hw=6,k=2", "X[1,8,6,6] pool[1,8,3,3]+[2,2] mean[1,8,3,3]", 8 * 9 * 4 + 8 * 9},
      {"softmax:rows=1536,cols=128",
       "A[1536,128] maxelem[1536]+[128] exp[1536,128] expsum[1536]+[128] norm[1536,128]", 786432},
      {"layer_norm:rows=128,cols=768",
       "A[128,768] sum[128]+[768] centre[128,768] var[128]+[768] gamma[768] beta[768] out[128,768]",
       983040},
      {"norm:b=16,m=256,n=256", "A[16,256,256] C[16]+[256,256] D[16]", 2097152},
      {"elementwise:n=1048576,fn=tanh", "A[1048576] tanh[1048576]", 0},
      {"elementwise:n=1048576,fn=mul", "A[1048576] B[1048576] mul[1048576]", 1048576},
  };
  std::set<std::string> covered = {"argmax"};  // which TVM counts otherwise
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const Task task = from_op(c.text);
    EXPECT_EQ(task.name, c.text);
    EXPECT_EQ(shapes(task), c.shapes);
    EXPECT_EQ(flop_count(task), c.flop);
    covered.insert(c.text.substr(0, c.text.find(':')));
  }
  for (const OperatorHelp& op : catalogue()) EXPECT_TRUE(covered.contains(op.name)) << op.name;
}

TEST(Catalogue, BodiesPrintAsTvmWritesThem) {
  const Task conv = from_op("conv2d:ci=64,hw=56,co=128,k=3,s=2,p=1,g=4,layout=nhwc+bias+relu");
  EXPECT_EQ(ir::print(op_named(conv, "pad").body[0]),
            "tir.if_then_else(((((y >= 1) && (y < 57)) && (x >= 1)) && (x < 57)), "
            "X[n, (y - 1), (x - 1), c], 0f)");
  EXPECT_EQ(ir::print(op_named(conv, "conv").body[0]),
            "(pad[n, ((y*2) + ry), ((x*2) + rx), ((floordiv(c, 32)*16) + rc)]*W[ry, rx, rc, c])");
  EXPECT_EQ(ir::print(op_named(conv, "relu").body[0]), "max(bias_add[n, y, x, c], 0f)");

  const Task transposed = from_op("conv2d_transpose:ci=256,hw=8,co=128,k=4,s=2,p=1");
  EXPECT_EQ(ir::print(op_named(transposed, "dilate_pad").body[0]),
            "tir.if_then_else(((((((y >= 2) && (y < 17)) && (x >= 2)) && (x < 17)) && "
            "(floormod((y - 2), 2) == 0)) && (floormod((x - 2), 2) == 0)), "
            "X[n, c, floordiv((y - 2), 2), floordiv((x - 2), 2)], 0f)");
  EXPECT_EQ(ir::print(op_named(transposed, "transposed_conv").body[0]),
            "(dilate_pad[n, rc, (y + ry), (x + rx)]*W[rc, c, (3 - ry), (3 - rx)])");

  const Task winograd = from_op("winograd:ci=64,hw=14,co=64,p=1,form=direct");
  EXPECT_EQ(ir::print(op_named(winograd, "input_tile").body[0]),
            "data_pad[floordiv(p, 16), ((floormod(floordiv(p, 4), 4)*4) + eps), "
            "((floormod(p, 4)*4) + nu), ci]");
  EXPECT_EQ(ir::print(op_named(winograd, "conv2d_winograd").body[0]),
            "inverse[floormod(h, 4), floormod(w, 4), "
            "((((n*4)*4) + (floordiv(h, 4)*4)) + floordiv(w, 4)), co]");

  const Task gelu = from_op("matmul:m=8,n=8,k=8+gelu");
  EXPECT_EQ(ir::print(op_named(gelu, "gelu").body[0]),
            "(C[i, j]*(0.5f + (tir.erf((C[i, j]*0.70710677f))*0.5f)))");
}

TEST(Catalogue, ArgmaxGivesIndexAndValue) {
  const Task task = from_op("argmax:rows=128,cols=1000,type=i8");
  const Op& op = task.ops.back();
  EXPECT_EQ(shapes(task), "A[128,1000]:int8 argmax.v0[128]:int32+[1000]");
  EXPECT_EQ(op.reducer, Reducer::ArgMax);
  ASSERT_EQ(op.outputs.size(), 2u);
  EXPECT_EQ(op.outputs[1]->name, "argmax.v1");
  EXPECT_EQ(ir::to_string(op.outputs[1]->type), "int8");
}

TEST(Catalogue, SixteenBitFloatsAddUpInF32AndAreCastBackByTheLastOp) {
  EXPECT_EQ(shapes(from_op("matmul:m=4,n=4,k=4,type=f16")),
            "A[4,4]:float16 B[4,4]:float16 C[4,4]+[4] cast[4,4]:float16");
  EXPECT_EQ(shapes(from_op("matmul:m=4,n=4,k=4,type=bf16+bias+relu")),
            "A[4,4]:bfloat16 B[4,4]:bfloat16 C[4,4]+[4] bias[4]:bfloat16 bias_add[4,4] "
            "relu[4,4]:bfloat16");
  EXPECT_EQ(shapes(from_op("softmax:rows=2,cols=4,type=f16")),
            "A[2,4]:float16 maxelem[2]:float16+[4] exp[2,4] expsum[2]+[4] norm[2,4]:float16");
  EXPECT_EQ(shapes(from_op("max_pool:ci=2,hw=4,k=2,type=f16")),
            "X[1,2,4,4]:float16 pool[1,2,2,2]:float16+[2,2]");
  EXPECT_EQ(shapes(from_op("matmul:m=4,n=4,k=4,type=f64")),
            "A[4,4]:float64 B[4,4]:float64 C[4,4]:float64+[4]");
}

TEST(Catalogue, SmallIntegersAddUpInI32) {
  EXPECT_EQ(
      shapes(from_op("dense:m=4,n=4,k=4,type=i8+bias+relu")),
      "A[4,4]:int8 B[4,4]:int8 C[4,4]:int32+[4] bias[4]:int32 bias_add[4,4]:int32 relu[4,4]:int32");
  EXPECT_EQ(shapes(from_op("elementwise:n=4,fn=add,type=u8")), "A[4]:uint8 B[4]:uint8 add[4]:uint8");
}

TEST(Catalogue, RepeatedTailsHaveNamesOfTheirOwn) {
  EXPECT_EQ(shapes(from_op("matmul:m=2,n=2,k=2+bias+relu+bias+relu")),
            "A[2,2] B[2,2] C[2,2]+[2] bias[2] bias_add[2,2] relu[2,2] bias_1[2] bias_add_1[2,2] "
            "relu_1[2,2]");
}

TEST(Catalogue, ConstantWeightsMayBeLaidOutAnew) {
  const std::vector<std::string> b = {"B"}, w = {"W"}, none;
  EXPECT_EQ(op_named(from_op("matmul:m=2,n=2,k=2"), "C").hints.layout_free, b);
  EXPECT_EQ(op_named(from_op("dense:m=2,n=2,k=2"), "C").hints.layout_free, b);
  EXPECT_EQ(op_named(from_op("batch_matmul:m=2,n=2,k=2"), "C").hints.layout_free, none);
  EXPECT_EQ(op_named(from_op("conv2d:ci=2,hw=4,co=2,k=3"), "conv").hints.layout_free, w);
  EXPECT_EQ(op_named(from_op("depthwise:ci=2,hw=4,k=3"), "depthwise").hints.layout_free, w);
  EXPECT_EQ(op_named(from_op("winograd:ci=2,hw=4,co=2"), "bgemm").hints.layout_free, w);
}

TEST(Catalogue, WinogradTellsTheScheduleSpaceOfItsConstants) {
  using Names = std::vector<std::string>;
  const auto unrolled = [](const Task& task, const char* op) {
    return op_named(task, op).hints.simplify_const_tensor_indices;
  };
  const Task direct = from_op("winograd:ci=2,hw=4,co=2,form=direct");
  EXPECT_EQ(unrolled(direct, "data_pack"), (Names{"eps", "nu", "r_a", "r_b"}));
  EXPECT_EQ(unrolled(direct, "inverse"), (Names{"vh", "vw", "r_a", "r_b"}));
  const Task task = from_op("winograd:ci=2,hw=4,co=2");
  EXPECT_EQ(unrolled(task, "data_pack_columns"), (Names{"eps", "column", "r_a"}));
  EXPECT_EQ(unrolled(task, "data_pack"), (Names{"eps", "nu", "r_b"}));
  EXPECT_EQ(unrolled(task, "inverse"), (Names{"vh", "vw", "r_b"}));
  EXPECT_TRUE(op_named(task, "A").hints.const_matrix);
  EXPECT_TRUE(op_named(task, "B").hints.const_matrix);
}

TEST(Catalogue, ErrorsSayWhatIsWrongAndOfferTheNearest) {
  struct Wrong {
    std::string text, what, hint;
  };
  const std::vector<Wrong> cases = {
      {"", "there is no operator ''", "one of: matmul,"},
      {"conv2:ci=1", "there is no operator 'conv2'", "did you mean 'conv2d'?"},
      {"matmull:m=1,n=1,k=1", "there is no operator 'matmull'", "did you mean 'matmul'?"},
      {"soft_max:rows=1", "there is no operator 'soft_max'", "did you mean 'softmax'?"},
      {"matmul:m=1,n=1,kk=1", "matmul has no key 'kk'", "did you mean 'k'?"},
      {"conv2d:layuot=nhwc", "conv2d has no key 'layuot'", "did you mean 'layout'?"},
      {"conv1d:hw=3", "conv1d has no key 'hw'", "did you mean 'w'?"},
      {"conv2d:layout=nwhc", "layout cannot be 'nwhc'", "did you mean 'nhwc'?"},
      {"matmul:m=4,n=4,k=4,type=f23", "type cannot be 'f23'", "did you mean 'f32'?"},
      {"softmax:rows=4,cols=4,type=i8", "type cannot be 'i8'", "f16, bf16"},
      {"elementwise:n=4,fn=tan", "fn cannot be 'tan'", "did you mean 'tanh'?"},
      {"elementwise:n=4,fn=exp,type=i32", "exp takes floats, not i32", "type=f32"},
      {"matmul:m=4,n=4,k=4+gleu", "there is no tail 'gleu'", "did you mean 'gelu'?"},
      {"matmul:m=4,n=4,k=4+", "there is no tail ''", "one of: bias, relu"},
      {"matmul:m=4,n=4,k=4,type=i8+gelu", "tail gelu takes floats, not int32", "relu"},
      {"argmax:rows=4,cols=4+relu", "argmax takes no tails", ""},
      {"matmul:m=4,n=4,k=4" + repeated("+relu", 17), "17 tails are too many", "at most 16"},
      {"matmul:m=4,n=4", "matmul needs k (length of the sum)", "matmul:m=128"},
      {"matmul", "matmul needs m", "for example"},
      {"conv2d:ci=4,co=4,k=3", "conv2d needs hw (height and width)", "conv2d:"},
      {"matmul:m=4,n=4,k=", "k (length of the sum) cannot be ''", "a whole number from 1 to"},
      {"matmul:m=4,n=4,k", "k has no value", "k=VALUE"},
      {"matmul:m=4,n=4,k=4,", "nothing follows the last comma", ""},
      {"matmul:m=4,m=4,n=4,k=4", "m is given twice", ""},
      {"matmul:m=0,n=4,k=4", "m (rows of A) cannot be '0'", "from 1 to"},
      {"matmul:m=-4,n=4,k=4", "cannot be '-4'", "from 1 to"},
      {"matmul:m=4x,n=4,k=4", "cannot be '4x'", "whole number"},
      {"matmul:m=4.5,n=4,k=4", "cannot be '4.5'", "whole number"},
      {"matmul:m=99999999999999999999,n=4,k=4", "cannot be '99999999999999999999'", "from 1 to"},
      {"matmul:m=1073741824,n=1073741824,k=1073741824", "tensor A of shape [1073741824, 1073741824]",
       "2^40"},
      {"conv2d:ci=4,hw=5,co=4,k=7", "the kernel covers 7 elements along y but the padded input has 5",
       "a kernel of 5 or a padding of 1"},
      {"conv2d:ci=4,hw=5,co=4,k=3,d=4", "covers 9 elements", "a kernel of 2 or a padding of 2"},
      {"conv2d:ci=64,hw=5,co=64,k=3,g=3", "3 groups do not divide both 64 input and 64 output", "g=2"},
      {"conv2d:ci=64,hw=5,co=64,k=3,g=7", "7 groups do not divide", "g=8"},
      {"conv2d:ci=6,hw=5,co=4,k=3,g=100", "100 groups do not divide", "g=2"},
      {"conv2d:ci=64,hw=5,co=24,k=3,layout=nchw16c", "24 channels (co) do not fill blocks of 16",
       "16 and 32"},
      {"conv2d_transpose:ci=4,hw=5,co=4,k=3,p=3", "a padding of 3 cuts off more than the kernel",
       "at most 2"},
      {"conv2d_transpose:ci=4,hw=5,co=4,k=3,s=2,op=2", "op=2 is not below the stride 2", "op=1"},
      {"conv2d_transpose:ci=4,hw=1,co=4,k=3,p=2", "a padding of 2 leaves no output along y",
       "smaller p"},
      {"max_pool:ci=4,hw=5,k=2,p=2", "some windows of 2 hold no element", "at most 1"},
      {"winograd:ci=4,hw=5,co=4,m=3", "m cannot be '3'", ""},
      {"winograd:ci=4,hw=2,co=4", "the kernel covers 3 elements", "padding of 1"},
  };
  for (const Wrong& wrong : cases) {
    SCOPED_TRACE(wrong.text);
    const UserError error = error_of(wrong.text);
    EXPECT_NE(std::string(error.what()).find(wrong.what), std::string::npos) << error.what();
    EXPECT_NE(error.hint().find(wrong.hint), std::string::npos) << error.hint();
  }
}

TEST(Catalogue, ExamplesWorkAndFallbacksChangeNothing) {
  for (const OperatorHelp& op : catalogue()) {
    SCOPED_TRACE(op.name);
    EXPECT_TRUE(op.example.starts_with(op.name + ":"));
    const std::string call = op.example.substr(0, op.example.find('+'));
    const std::string expected = shapes(from_op(call));
    for (const KeyHelp& key : op.keys) {
      EXPECT_FALSE(key.meaning.empty()) << key.name;
      const bool is_key = key.words.empty() &&
                          std::any_of(op.keys.begin(), op.keys.end(),
                                      [&](const KeyHelp& other) { return other.name == key.fallback; });
      if (is_key || key.fallback.empty() || call.find(key.name + "=") != std::string::npos) continue;
      EXPECT_EQ(shapes(from_op(fmt::format("{},{}={}", call, key.name, key.fallback))), expected)
          << key.name;
    }
    if (!op.takes_tails) continue;
    for (const std::string& tail : tails()) EXPECT_NO_THROW(from_op(call + "+" + tail)) << tail;
  }
}

TEST(Catalogue, EveryTypeOfAnOperatorWorks) {
  for (const OperatorHelp& op : catalogue()) {
    const std::string call = op.name == "elementwise" ? "elementwise:n=4,fn=relu"
                                                      : op.example.substr(0, op.example.find('+'));
    for (const KeyHelp& key : op.keys) {
      if (key.name != "type") continue;
      EXPECT_GE(key.words.size(), 4u);
      for (const std::string& type : key.words)
        EXPECT_NO_THROW(from_op(call + ",type=" + type)) << call << type;
    }
  }
}

// Whatever the text is, it is a task or a UserError.
TEST(Catalogue, DamagedTextNeverBreaksIt) {
  const std::string alphabet = "0123456789abcdefghijklmnopqrstuvwxyz:=,+-_. \n\xff";
  std::vector<std::string> seeds;
  for (const OperatorHelp& op : catalogue()) seeds.push_back(op.example);
  std::mt19937 random(11);
  int n_tasks = 0, n_errors = 0;
  for (int trial = 0; trial < 20'000; ++trial) {
    std::string text = seeds[random() % seeds.size()];
    for (int edits = 1 + static_cast<int>(random() % 4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      const char letter = alphabet[random() % alphabet.size()];
      switch (random() % 5) {
        case 0:
          text[at] = letter;
          break;
        case 1:
          text.insert(at, 1, letter);
          break;
        case 2:
          text.erase(at, 1 + random() % 3);
          break;
        case 3:
          text.insert(at, "1073741824");
          break;
        default:
          text.insert(at, text.substr(random() % text.size(), 12));
          break;
      }
    }
    try {
      const Task task = from_op(text);
      EXPECT_FALSE(task.ops.empty());
      ++n_tasks;
    } catch (const UserError& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
      ++n_errors;
    }
  }
  EXPECT_GT(n_tasks, 200);
  EXPECT_GT(n_errors, 5'000);
}

// Sizes at the limits never overflow: they too are a task or a UserError.
TEST(Catalogue, ExtremeSizesNeverBreakIt) {
  const std::vector<std::string> sizes = {"1", "2", "3", "5", "16", "64", "32768", "1073741824"};
  std::mt19937 random(13);
  int n_tasks = 0, n_errors = 0;
  for (const OperatorHelp& op : catalogue()) {
    for (int trial = 0; trial < 300; ++trial) {
      std::vector<std::string> values;
      for (const KeyHelp& key : op.keys) {
        const std::vector<std::string>& choices = key.words.empty() ? sizes : key.words;
        if (key.fallback.empty() || random() % 4 == 0) {
          values.push_back(key.name + "=" + choices[random() % choices.size()]);
        }
      }
      try {
        from_op(fmt::format("{}:{}", op.name, fmt::join(values, ",")));
        ++n_tasks;
      } catch (const UserError&) {
        ++n_errors;
      }
    }
  }
  EXPECT_GT(n_tasks, 500);
  EXPECT_GT(n_errors, 500);
}

}  // namespace
}  // namespace hone::task
