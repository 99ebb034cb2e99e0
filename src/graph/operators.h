// The operators a graph is made of. They are few: what an exchange format has a hundred names for is
// taken apart on the way in, so that every pass, the evaluation and the tasks know one form of it.
#pragma once
#include <cstdint>
#include <memory>
#include <string_view>
#include <variant>
#include <vector>

#include "ir/expr.h"
#include "model/tensor.h"

namespace hone::graph {

using model::Shape;

struct Graph;

// out = body of the operands' elements, shapes broadcast against each other as NumPy does. Activations,
// arithmetic, comparisons, casts and choices are all this, and a chain of them is one.
struct Map {
  std::vector<ir::Expr> operands;  // variables, one an input, of its type
  ir::Expr body;
};

enum class Reduction : std::uint8_t { Sum, Max, Min, Prod };

// Over `axes`, which stay as extent 1.
struct Reduce {
  Reduction reduction;
  std::vector<int> axes;  // ascending
};

// The position (int64) of the largest or smallest element along an axis, which stays as extent 1.
struct ArgReduce {
  bool largest = true;
  int axis = 0;
  bool last_wins = false;  // among equals; otherwise the first does
};

// Where the channels stand: [n, c, spatial...], as models come; [n, spatial..., c]; or in blocks
// [n, c / block, spatial..., block], see blocks.h.
enum class Layout : std::uint8_t { ChannelsFirst, ChannelsLast, Blocked };

// A window that slides over the spatial dimensions. One entry each a dimension; padding may be
// negative. An output element stands where the window begins at index * stride - before.
struct Window {
  std::vector<std::int64_t> kernel, strides, dilations, before, after;
  Layout layout = Layout::ChannelsFirst;
};

// How a convolution or a product is worked out. It changes rounding and speed, never the meaning: the
// inputs stay those of the direct form. `algorithms` (graph/algorithms.h) says which ones a node has.
enum class Algorithm : std::uint8_t { Direct, MatMul, Winograd2, Winograd4, SubPixel, Strassen };

// x [n, c, spatial...] * w [m, c / groups, kernel...] -> [n, m, spatial...], or channels last
// x [n, spatial..., c] * w [kernel..., c / groups, m] -> [n, spatial..., m]. In blocks x and w may have
// blocks of other sizes than the result; w is [m / b, c / groups / a, kernel..., a, b].
struct Conv {
  Window window;
  std::int64_t groups = 1;
  Algorithm algorithm = Algorithm::Direct;
};

// x [n, c, spatial...] * w [c, m / groups, kernel...], or channels last w [kernel..., c, m / groups];
// the gradient of Conv with respect to its input:
// extent out = (in - 1) * stride + (kernel - 1) * dilation + 1 - before - after.
struct ConvTranspose {
  Window window;
  std::int64_t groups = 1;
  Algorithm algorithm = Algorithm::Direct;
};

// Max or Sum over windows of images in any layout; what lies outside takes no part.
struct Pool {
  Reduction reduction;
  Window window;
};

// a [..., m, k] * b [..., k, n]; the dimensions in front broadcast. Both have rank 2 or more.
struct MatMul {
  Algorithm algorithm = Algorithm::Direct;
  // Whether the product that its first factor is made from by functions of rows is computed with it:
  // attention as one task. See attention.h.
  bool takes_scores = false;
};

// Sum over the labels that `output` lacks of the product of all inputs. Labels are small numbers.
struct Einsum {
  std::vector<std::vector<int>> inputs;
  std::vector<int> output;
};

struct Transpose {
  std::vector<int> order;  // out dimension i is in dimension order[i]
};
struct Reshape {
  Shape shape;
};
struct Expand {
  Shape shape;  // the input broadcasts to it
};
// out[i] = in[starts + i * steps], a dimension; steps may be negative, not 0.
struct Slice {
  std::vector<std::int64_t> starts, steps;
  Shape shape;  // of the output
};
enum class PadMode : std::uint8_t { Constant, Edge, Reflect, Wrap };
struct Pad {
  PadMode mode = PadMode::Constant;
  std::vector<std::int64_t> before, after;  // may be negative: cut off
  ir::Expr value;                           // an immediate of the input's type
};
struct Concat {
  int axis = 0;
};
// data, indices; negative indices count from the end.
struct Gather {
  int axis = 0;
};
struct GatherElements {
  int axis = 0;
};
struct GatherND {
  int batch_dims = 0;
};
// Nearest or linear interpolation, all dimensions: input coordinate = scale * i + offset (a dimension),
// then rounded as `rounding` says (nearest) or split into neighbours and weight (linear, clamped at the
// borders).
enum class Rounding : std::uint8_t { PreferFloor, PreferCeil, Floor, Ceil };
struct Resize {
  bool linear = false;
  Rounding rounding = Rounding::PreferFloor;
  std::vector<double> scales, offsets;
  Shape shape;  // of the output
};
struct CumSum {
  int axis = 0;
  bool exclusive = false, reverse = false;
};
// Two outputs: values, indices (int64).
struct TopK {
  std::int64_t k = 1;
  int axis = 0;
  bool largest = true;
};

// A counted loop. The body's inputs are: the carried values, then one slice each of the `scanned`
// inputs (dimension 0 taken away), then the inputs that stay the same. Its outputs: the new carried
// values, then one slice each of the stacked outputs. The node's inputs and outputs are in the same
// order; outputs are the last carried values, then the stacked ones with a new dimension 0.
struct Loop {
  std::shared_ptr<const Graph> body;
  std::int64_t trips = 0;
  int carried = 0, scanned = 0;
  bool reverse = false;  // the last slice first; stacked outputs keep the slices' places
};

using Operator = std::variant<Map, Reduce, ArgReduce, Conv, ConvTranspose, Pool, MatMul, Einsum,
                              Transpose, Reshape, Expand, Slice, Pad, Concat, Gather, GatherElements,
                              GatherND, Resize, CumSum, TopK, Loop>;

std::string_view name_of(const Operator& op);  // "conv", "arg_reduce", ...
std::string_view name_of(Reduction reduction);

}  // namespace hone::graph
