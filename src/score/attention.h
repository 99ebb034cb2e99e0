// Attention among the rows of programs of different lengths.
#pragma once
#include <array>
#include <memory>
#include <span>
#include <vector>

#include "score/dense.h"

namespace hone::score {

// What `rows` rows of each of so many programs see of each other. Inputs are queries, keys and values,
// `width` numbers a row, and a number a row that is added to what others think of it before the
// softmax: the log of how often it is there, or almost minus infinity when it is not.
graph::Graph graph_of_attention(std::int64_t programs, std::int64_t rows, std::int64_t width,
                                std::int64_t heads);

using Projected = std::array<std::vector<float>, 3>;  // queries, keys and values of rows

class RaggedAttention {
 public:
  RaggedAttention(std::size_t width, std::size_t heads, const CompileDense& compile);

  // Of `width` numbers a row, the rows of all programs behind each other, what each row sees of those
  // of its program. What is said of a program depends on nothing else, bit for bit. UserError when a
  // program has more rows than fit.
  std::vector<float> run(const Projected& projected, std::span<const std::size_t> lengths) const;

 private:
  // Programs of as many rows share a graph; shorter ones have rows that nobody looks at.
  struct Room {
    std::size_t rows;
    std::unique_ptr<DenseFunction> look;
  };

  std::size_t width_;
  std::vector<Room> rooms_;  // the smallest first
};

}  // namespace hone::score
