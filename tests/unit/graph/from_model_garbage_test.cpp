// Models that make no sense end in a UserError: never in a crash, a hang or an error of ours.
#include <gtest/gtest.h>

#include <limits>

#include "base/error.h"
#include "base/random.h"
#include "graph/from_model.h"
#include "graph/onnx/readers.h"
#include "graph/verify.h"
#include "tests/tensors.h"
#include "tests/unit/graph/models.h"

namespace hone::graph {
namespace {

// Every attribute that a reader asks for.
const std::vector<std::string> kAttributes = {"activation_alpha",
                                              "activations",
                                              "allowzero",
                                              "alpha",
                                              "antialias",
                                              "approximate",
                                              "auto_pad",
                                              "axes",
                                              "axis",
                                              "batch_dims",
                                              "beta",
                                              "bias",
                                              "blocksize",
                                              "broadcast",
                                              "ceil_mode",
                                              "clip",
                                              "coordinate_transformation_mode",
                                              "count_include_pad",
                                              "detect_negative",
                                              "dilations",
                                              "direction",
                                              "dtype",
                                              "ends",
                                              "epsilon",
                                              "equation",
                                              "exclusive",
                                              "fmod",
                                              "gamma",
                                              "group",
                                              "hidden_size",
                                              "k",
                                              "keepdims",
                                              "kernel_shape",
                                              "lambd",
                                              "largest",
                                              "layout",
                                              "linear_before_reset",
                                              "max",
                                              "min",
                                              "mode",
                                              "nearest_mode",
                                              "noop_with_empty_axes",
                                              "num_groups",
                                              "output_padding",
                                              "output_shape",
                                              "p",
                                              "pads",
                                              "perm",
                                              "repeats",
                                              "reverse",
                                              "scales",
                                              "select_last_index",
                                              "shape",
                                              "size",
                                              "spatial",
                                              "split",
                                              "start",
                                              "end",
                                              "starts",
                                              "strides",
                                              "to",
                                              "training_mode",
                                              "transA",
                                              "transB",
                                              "upper",
                                              "value",
                                              "value_float",
                                              "value_ints"};

class Garbage {
 public:
  explicit Garbage(std::uint64_t seed) : random_(seed, 0) {}

  model::Model model(std::string_view op) {
    const std::size_t inputs = below(7);
    test::NodeSketch node{.op = std::string(op), .inputs = {}, .outputs = {"y", "z"}, .attributes = {}};
    std::vector<test::InputSketch> ports;
    std::map<std::string, Tensor> constants;
    for (std::size_t i = 0; i < inputs; ++i) {
      const std::string name = "x" + std::to_string(i);
      const bool is_left_out = below(8) == 0;
      node.inputs.push_back(is_left_out ? "" : name);
      if (is_left_out) continue;
      if (i > 0 && below(2) == 0)
        constants.emplace(name, tensor());
      else
        ports.push_back({name, shape(), type()});
    }
    for (std::size_t count = below(6); count > 0; --count)
      node.attributes[pick(kAttributes)] = attribute();
    const std::vector<std::int64_t> opsets{1, 6, 9, 10, 11, 13, 17, 18, 21};
    model::Model model = test::model_of(ports, {"y"}, {node}, pick(opsets));
    model.graph.initializers = constants;
    return model;
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(random_.below(count)); }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[below(list.size())];
  }

  ir::Scalar type() {
    // Mostly floats: with other types most operators stop at once.
    return below(3) != 0 ? ir::Scalar::F32 : static_cast<ir::Scalar>(below(13));
  }
  Shape shape() {
    Shape shape(below(6));
    for (std::int64_t& extent : shape) extent = static_cast<std::int64_t>(below(5));
    return shape;
  }
  Tensor tensor() {
    const bool is_list = below(2) == 0;
    if (!is_list) return test::random_tensor(type(), shape(), below(1000));
    const std::vector<std::int64_t> list = integers();
    return test::i64({static_cast<std::int64_t>(list.size())}, {list.begin(), list.end()});
  }
  std::int64_t integer() {
    const std::vector<std::int64_t> odd{-1,
                                        std::numeric_limits<std::int64_t>::max(),
                                        std::numeric_limits<std::int64_t>::min(),
                                        std::int64_t{1} << 40,
                                        -7,
                                        1 << 20};
    return below(4) == 0 ? pick(odd) : static_cast<std::int64_t>(below(5));
  }
  std::vector<std::int64_t> integers() {
    std::vector<std::int64_t> list(below(6));
    for (std::int64_t& entry : list) entry = integer();
    return list;
  }
  double number() {
    const std::vector<double> numbers{0,
                                      1,
                                      -1,
                                      0.5,
                                      1e30,
                                      -1e30,
                                      std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()};
    return pick(numbers);
  }
  model::Attribute attribute() {
    const std::vector<std::string> texts{"",     "SAME_UPPER", "bidirectional", "linear",
                                         "edge", "...ij,jk",   "i->ii",         "nonsense"};
    switch (below(8)) {
      case 0:
        return number();
      case 1:
        return pick(texts);
      case 2:
        return tensor();
      case 3:
        return std::vector<double>{number(), number()};
      case 4:
        return std::vector<std::string>{pick(texts), pick(texts)};
      case 5:
        return integers();
      default:
        return integer();
    }
  }

  Random random_;
};

TEST(FromModelGarbage, EndsInAUserErrorOrAGraph) {
  constexpr std::uint64_t kTries = 150;  // of each operator
  int graphs = 0;
  std::uint64_t seed = 0;
  for (const onnx::NamedReader& reader : onnx::onnx_readers()) {
    for (std::uint64_t i = 0; i < kTries; ++i) {
      ++seed;
      try {
        verify(from_model(Garbage(seed).model(reader.op)));
        ++graphs;
      } catch (const UserError& error) {
        EXPECT_NE(std::string(error.what()), "") << reader.op;
      } catch (const std::exception& error) {
        ADD_FAILURE() << reader.op << ", seed " << seed << ": " << error.what();
      }
    }
  }
  EXPECT_GT(graphs, 500) << "too little of it gets through to mean anything";
}

}  // namespace
}  // namespace hone::graph
