#include "task/define/piece.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>

#include "base/error.h"

namespace hone::task::define {
namespace {

using graph::Shape;
using graph::ValueId;

// a [..., m, k] * b [..., k, n] by the labels of its dimensions, those of the result in `order`.
graph::Einsum labelled(const Shape& a, const Shape& b, const std::vector<int>& order) {
  const int rank = static_cast<int>(order.size()),
            k = rank;  // labels are the result's dimensions, and k
  const auto labels = [&](const Shape& shape, int row, int column) {
    std::vector<int> found;
    for (int d = rank - static_cast<int>(shape.size()); d < rank - 2; ++d) found.push_back(d);
    found.insert(found.end(), {row, column});
    return found;
  };
  return {{labels(a, rank - 2, k), labels(b, k, rank - 1)}, order};
}

// A product whose result is transposed is the product by labels, which writes its elements in place.
void join_transpose(Piece& piece) {
  for (std::size_t n = 0; n + 1 < piece.nodes.size(); ++n) {
    graph::Node& product = piece.nodes[n];
    const auto* transpose = std::get_if<graph::Transpose>(&piece.nodes[n + 1].op);
    if (!std::holds_alternative<graph::MatMul>(product.op) || transpose == nullptr) continue;
    const auto reads_product = [&](const graph::Node& node) {
      return std::ranges::find(node.inputs, product.outputs.front()) != node.inputs.end();
    };
    if (!reads_product(piece.nodes[n + 1])) continue;
    if (std::ranges::count_if(piece.nodes, reads_product) != 1) continue;
    const Shape &a = piece.shapes[product.inputs[0]], &b = piece.shapes[product.inputs[1]];
    const Shape& whole = piece.shapes[product.outputs[0]];
    // Labels do not broadcast.
    const bool fits = std::equal(a.begin(), a.end() - 2, whole.end() - std::ssize(a)) &&
                      std::equal(b.begin(), b.end() - 2, whole.end() - std::ssize(b));
    if (!fits) continue;
    product.op = labelled(a, b, transpose->order);
    product.outputs = piece.nodes[n + 1].outputs;
    piece.nodes.erase(piece.nodes.begin() + static_cast<std::ptrdiff_t>(n) + 1);
  }
}

// The value's extents along the last `n` dimensions of the piece as one, when it has all of them or
// none.
std::optional<Shape> joined_positions(const Shape& own, const Shape& whole, std::size_t n) {
  if (own.size() < n)
    return std::ranges::all_of(own, [](std::int64_t e) { return e == 1; }) ? std::optional(Shape{})
                                                                           : std::nullopt;
  Shape result(own.begin(), own.end() - static_cast<std::ptrdiff_t>(n));
  const auto positions = own.end() - static_cast<std::ptrdiff_t>(n);
  const bool spans = std::equal(positions, own.end(), whole.end() - static_cast<std::ptrdiff_t>(n));
  if (!spans && std::any_of(positions, own.end(), [](std::int64_t e) { return e != 1; })) {
    return std::nullopt;
  }
  result.push_back(std::accumulate(positions, own.end(), std::int64_t{1}, std::multiplies<>()));
  return result;
}

// [m, c] times [n, c, positions]; nothing changes when an operand behind it tells positions apart.
void join_channels_first(Piece& piece, graph::Node& node) {
  const ValueId weight = node.inputs[1];
  const Shape whole = piece.shapes[node.outputs[0]];
  std::map<ValueId, Shape> joined;
  for (const auto& [value, shape] : piece.shapes) {
    const auto result =
        value == weight ? Shape{shape[0], shape[1]} : joined_positions(shape, whole, whole.size() - 2);
    if (!result) return;
    joined[value] = *result;
  }
  piece.shapes = std::move(joined);
  node.inputs = {weight, node.inputs[0]};
  node.op = graph::MatMul{};
}

// A kernel of one element is a matrix.
void join_positions(Piece& piece) {
  graph::Node& node = piece.nodes.front();
  const auto* conv = std::get_if<graph::Conv>(&node.op);
  if (conv == nullptr || conv->algorithm != graph::Algorithm::MatMul) return;
  if (conv->window.layout == graph::Layout::ChannelsFirst) return join_channels_first(piece, node);
  Shape& weight = piece.shapes[node.inputs[1]];
  weight = {weight[weight.size() - 2], weight.back()};
  node.op = graph::MatMul{};
}

}  // namespace

Piece piece_of(const graph::Graph& graph, const graph::Group& group) {
  Piece piece;
  for (const int number : group.nodes) {
    const graph::Node& node = graph.nodes[static_cast<std::size_t>(number)];
    piece.nodes.push_back(node);
    for (const auto* values : {&node.inputs, &node.outputs}) {
      for (const ValueId value : *values) {
        piece.shapes[value] = graph.values[static_cast<std::size_t>(value)].type.shape;
      }
    }
  }
  join_transpose(piece);
  join_positions(piece);
  return piece;
}

}  // namespace hone::task::define
