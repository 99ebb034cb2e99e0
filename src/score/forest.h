// Trees over one row a program, in the form in which they are quick to ask: all of one depth, so that
// asking has no branches. Needs a compiler only, like scorer_file.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "score/tensors.h"

namespace hone::score {

struct Split {
  float threshold = 0;       // a row goes left when its value is below
  std::uint32_t column = 0;  // of the value
};

struct Forest {
  std::size_t columns = 0;    // of a row
  int depth = 0;              // splits on the way to a leaf
  std::vector<Split> splits;  // 2^depth - 1 a tree; below split i stand 2i + 1 (left) and 2i + 2
  std::vector<float> leaves;  // 2^depth a tree, from left to right

  std::size_t n_leaves() const { return std::size_t{1} << depth; }  // of a tree
  std::size_t n_trees() const { return leaves.size() / n_leaves(); }

  // Of each row, which stand behind each other, the sum of the leaves that it comes to.
  std::vector<float> values(std::span<const float> rows) const;
};

// Adds the trees of another forest over the same columns, which may be shallower or deeper.
void append(Forest& forest, const Forest& more);

// As weights of a scorer, named trees.*.
std::vector<NamedTensor> print_forest(const Forest& forest);
bool has_forest(const std::vector<NamedTensor>& tensors);
// UserError when they are not those of a forest.
Forest parse_forest(const std::vector<NamedTensor>& tensors);

}  // namespace hone::score
