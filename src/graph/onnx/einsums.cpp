// Einsum: the equation's letters become labels.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "graph/onnx/axes.h"
#include "graph/onnx/readers.h"

namespace hone::graph::onnx {
namespace {

constexpr int kEllipsis = 256;  // labels from here on are the dimensions of "...", those below letters

struct Equation {
  std::vector<std::string> terms;  // '.' stands for "..."
  std::optional<std::string> result;
};

std::string without_dots(const std::string& term, const std::string& equation) {
  std::string result;
  for (std::size_t i = 0; i < term.size(); ++i) {
    const bool is_letter = (term[i] | 0x20) >= 'a' && (term[i] | 0x20) <= 'z';
    const bool is_ellipsis = term.compare(i, 3, "...") == 0 && result.find('.') == std::string::npos;
    if (!is_letter && !is_ellipsis)
      throw UserError(fmt::format("its equation `{}` cannot be understood", equation));
    result += is_letter ? term[i] : '.';
    if (is_ellipsis) i += 2;
  }
  return result;
}

Equation parse(const std::string& text) {
  std::string plain = text;
  std::erase(plain, ' ');
  Equation equation;
  const std::size_t arrow = plain.find("->");
  if (arrow != std::string::npos) equation.result = without_dots(plain.substr(arrow + 2), text);
  const std::string left = plain.substr(0, arrow);
  for (std::size_t begin = 0; begin <= left.size();) {
    const std::size_t comma = std::min(left.find(',', begin), left.size());
    equation.terms.push_back(without_dots(left.substr(begin, comma - begin), text));
    begin = comma + 1;
  }
  return equation;
}

// One label a dimension. Of several "..." the last dimensions stand for each other.
std::vector<int> labels_of(const std::string& term, std::size_t ellipsis_rank, std::size_t widest) {
  std::vector<int> labels;
  for (const char letter : term) {
    if (letter != '.') {
      labels.push_back(static_cast<unsigned char>(letter));
      continue;
    }
    for (std::size_t i = widest - ellipsis_rank; i < widest; ++i)
      labels.push_back(kEllipsis + static_cast<int>(i));
  }
  return labels;
}

// What is not named: the dimensions of "...", then the letters that stand once, in their order.
std::vector<int> unnamed_result(const std::vector<std::vector<int>>& terms) {
  std::map<int, int> counts;
  for (const auto& term : terms) {
    for (const int label : term) ++counts[label];
  }
  std::vector<int> result;
  for (const auto& [label, count] : counts) {
    if (label >= kEllipsis) result.push_back(label);
  }
  for (const auto& [label, count] : counts) {
    if (label < kEllipsis && count == 1) result.push_back(label);
  }
  return result;
}

// Dimensions of 1 that meet larger ones take no part.
void drop_broadcast(const Reading& r, Einsum& einsum, std::vector<ValueId>& inputs) {
  std::map<int, std::int64_t> extents;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape shape = r.emit.shape(inputs[i]);
    for (std::size_t d = 0; d < shape.size(); ++d) {
      std::int64_t& extent = extents.emplace(einsum.inputs[i][d], 1).first->second;
      if (shape[d] != 1) extent = shape[d];
    }
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Shape shape = r.emit.shape(inputs[i]);
    Shape kept;
    std::vector<int> labels;
    for (std::size_t d = 0; d < shape.size(); ++d) {
      if (shape[d] == 1 && extents[einsum.inputs[i][d]] != 1) continue;
      kept.push_back(shape[d]);
      labels.push_back(einsum.inputs[i][d]);
    }
    inputs[i] = r.emit.reshape(inputs[i], kept);
    einsum.inputs[i] = labels;
  }
}

std::vector<ValueId> read_einsum(const Reading& r) {
  std::vector<ValueId> inputs = r.all_inputs();
  const Equation equation = parse(r.attributes.text("equation", ""));
  if (equation.terms.size() != inputs.size())
    throw UserError(
        fmt::format("its equation has {} terms for {} inputs", equation.terms.size(), inputs.size()));
  std::vector<std::size_t> ellipsis_ranks;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const std::string& term = equation.terms[i];
    const bool has_ellipsis = term.find('.') != std::string::npos;
    const std::size_t letters = term.size() - (has_ellipsis ? 1 : 0);
    const std::size_t rank = r.emit.rank(inputs[i]);
    if (has_ellipsis ? rank < letters : rank != letters)
      throw UserError(fmt::format("its equation has {} letters for the {} dimensions of input {}",
                                  letters, rank, i + 1));
    ellipsis_ranks.push_back(rank - letters);
  }
  const std::size_t widest = std::ranges::max(ellipsis_ranks);
  Einsum einsum;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    einsum.inputs.push_back(labels_of(equation.terms[i], ellipsis_ranks[i], widest));
  einsum.output =
      equation.result ? labels_of(*equation.result, widest, widest) : unnamed_result(einsum.inputs);
  drop_broadcast(r, einsum, inputs);
  return {r.emit.add(std::move(einsum), std::move(inputs))};
}

}  // namespace

Readers einsums() { return {{"Einsum", read_einsum}}; }

}  // namespace hone::graph::onnx
