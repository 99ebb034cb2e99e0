#include "score/forest.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "base/error.h"

namespace hone::score {
namespace {

constexpr const char* kShape = "trees.shape";
constexpr const char* kColumn = "trees.column";
constexpr const char* kThreshold = "trees.threshold";
constexpr const char* kLeaf = "trees.leaf";

constexpr int kMostDepth = 16;
// A row's way through a tree is one long chain of waiting; the ways of so many rows are walked at once.
constexpr std::size_t kRowsAtOnce = 16;
// For so many rows a tree is fetched once.
constexpr std::size_t kRowsATree = 64;

// Adds to `sums` the leaves of one tree that n rows come to.
template <std::size_t kRows>
void add_leaves(const Split* splits, const float* leaves, int depth, const float* rows,
                std::size_t columns, float* sums) {
  std::array<std::uint32_t, kRows> at{};
  for (int level = 0; level < depth; ++level) {
    for (std::size_t row = 0; row < kRows; ++row) {
      const Split split = splits[at[row]];
      const bool goes_left = rows[row * columns + split.column] < split.threshold;
      at[row] = 2 * at[row] + 2 - static_cast<std::uint32_t>(goes_left);
    }
  }
  const std::uint32_t n_splits = (std::uint32_t{1} << depth) - 1;
  for (std::size_t row = 0; row < kRows; ++row) sums[row] += leaves[at[row] - n_splits];
}

std::int64_t signed_of(std::size_t n) { return static_cast<std::int64_t>(n); }

[[noreturn]] void refuse(const std::string& why) {
  throw UserError("the trees of the scorer " + why, "train the scorer again, or copy the file anew");
}

// A tensor of floats holds them exactly.
std::size_t whole(float value, std::size_t most, const char* what) {
  if (!(value >= 0 && value <= static_cast<float>(most)) || value != std::floor(value))
    refuse(std::string("have a wrong ") + what + ": " + std::to_string(value));
  return static_cast<std::size_t>(value);
}

}  // namespace

std::vector<float> Forest::values(std::span<const float> rows) const {
  const std::size_t n = columns == 0 ? 0 : rows.size() / columns;
  check(n * columns == rows.size(), "rows are whole");
  std::vector<float> sums(n);
  for (std::size_t begin = 0; begin < n; begin += kRowsATree) {
    const std::size_t end = std::min(n, begin + kRowsATree);
    for (std::size_t tree = 0; tree < n_trees(); ++tree) {
      const Split* const of_tree = &splits[tree * (n_leaves() - 1)];
      const float* const leaf = &leaves[tree * n_leaves()];
      std::size_t row = begin;
      for (; row + kRowsAtOnce <= end; row += kRowsAtOnce)
        add_leaves<kRowsAtOnce>(of_tree, leaf, depth, &rows[row * columns], columns, &sums[row]);
      for (; row < end; ++row)
        add_leaves<1>(of_tree, leaf, depth, &rows[row * columns], columns, &sums[row]);
    }
  }
  return sums;
}

namespace {

// The same trees, filled up with splits whose sides are alike.
Forest deepened(const Forest& forest, int depth) {
  Forest out{.columns = forest.columns, .depth = depth, .splits = {}, .leaves = {}};
  const std::size_t n_splits = forest.n_leaves() - 1, copies = out.n_leaves() / forest.n_leaves();
  for (std::size_t tree = 0; tree < forest.n_trees(); ++tree) {
    const Split* const from = &forest.splits[tree * n_splits];
    out.splits.insert(out.splits.end(), from, from + n_splits);
    out.splits.resize((tree + 1) * (out.n_leaves() - 1));
    for (std::size_t leaf = 0; leaf < forest.n_leaves(); ++leaf)
      out.leaves.insert(out.leaves.end(), copies, forest.leaves[tree * forest.n_leaves() + leaf]);
  }
  return out;
}

}  // namespace

void append(Forest& forest, const Forest& more) {
  check(forest.columns == more.columns, "trees of one forest look at the same columns");
  const int depth = std::max(forest.depth, more.depth);
  forest = deepened(forest, depth);
  const Forest others = deepened(more, depth);
  forest.splits.insert(forest.splits.end(), others.splits.begin(), others.splits.end());
  forest.leaves.insert(forest.leaves.end(), others.leaves.begin(), others.leaves.end());
}

std::vector<NamedTensor> print_forest(const Forest& forest) {
  const std::int64_t trees = signed_of(forest.n_trees()), leaves = signed_of(forest.n_leaves());
  NamedTensor column{kColumn, {trees, leaves - 1}, {}}, threshold{kThreshold, {trees, leaves - 1}, {}};
  for (const Split& split : forest.splits) {
    column.values.push_back(static_cast<float>(split.column));
    threshold.values.push_back(split.threshold);
  }
  return {{kShape, {2}, {static_cast<float>(forest.columns), static_cast<float>(forest.depth)}},
          std::move(column),
          std::move(threshold),
          {kLeaf, {trees, leaves}, forest.leaves}};
}

bool has_forest(const std::vector<NamedTensor>& tensors) {
  return std::ranges::find(tensors, kShape, &NamedTensor::name) != tensors.end();
}

Forest parse_forest(const std::vector<NamedTensor>& tensors) {
  constexpr std::size_t kMostColumns = 1 << 20;
  const std::vector<float>& shape = find_tensor(tensors, kShape, {2}).values;
  Forest forest{.columns = whole(shape[0], kMostColumns, "number of columns"),
                .depth = static_cast<int>(whole(shape[1], kMostDepth, "depth")),
                .splits = {},
                .leaves = {}};
  const NamedTensor& leaf = find_tensor(tensors, kLeaf, {-1, signed_of(forest.n_leaves())});
  const std::vector<std::int64_t> of_splits = {leaf.shape[0], signed_of(forest.n_leaves() - 1)};
  const NamedTensor& column = find_tensor(tensors, kColumn, of_splits);
  const NamedTensor& threshold = find_tensor(tensors, kThreshold, of_splits);
  if (forest.columns == 0) refuse("look at no column");
  forest.leaves = leaf.values;
  for (std::size_t i = 0; i < column.values.size(); ++i)
    forest.splits.push_back(
        {threshold.values[i],
         static_cast<std::uint32_t>(whole(column.values[i], forest.columns - 1, "column"))});
  return forest;
}

}  // namespace hone::score
