#include "score/grow_forest.h"

#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/json.h"

namespace hone::score {
namespace {

// Shares of the rows and of the columns that a tree may look at, and how many rows a leaf must stand
// for: trees that differ and that no few programs make.
constexpr double kRowShare = 0.8, kColumnShare = 0.6;
constexpr double kRowsOfALeaf = 5;
constexpr int kBins = 256;

// A tree as XGBoost writes it: nodes in any order, from the root 0 on.
struct ListedTree {
  std::vector<int> left, right;  // -1 at leaves
  std::vector<int> column;
  std::vector<float> value;  // the threshold, or what the leaf says
};

constexpr std::int64_t kMostNodes = 1 << 24;

ListedTree parse_tree(JsonCursor& json) {
  ListedTree tree;
  const auto integers = [&](std::vector<int>& to) {
    json.list([&] { to.push_back(static_cast<int>(json.integer(-1, kMostNodes, "a node"))); });
    return true;
  };
  json.object([&](std::string_view name) {
    if (name == "left_children") return integers(tree.left);
    if (name == "right_children") return integers(tree.right);
    if (name == "split_indices") return integers(tree.column);
    if (name != "split_conditions") return false;
    json.list([&] { tree.value.push_back(static_cast<float>(json.number("a split"))); });
    return true;
  });
  return tree;
}

// learner.gradient_booster.model.trees
std::vector<ListedTree> parse_trees(const std::string& text) {
  std::vector<ListedTree> trees;
  JsonCursor json(text);
  std::vector<std::string_view> path = {"learner", "gradient_booster", "model", "trees"};
  const std::function<void(std::size_t)> enter = [&](std::size_t depth) {
    json.object([&](std::string_view name) {
      if (name != path[depth]) return false;
      if (depth + 1 < path.size())
        enter(depth + 1);
      else
        json.list([&] { trees.push_back(parse_tree(json)); });
      return true;
    });
  };
  enter(0);
  return trees;
}

// Puts what is below `node` of the listed tree at and below the place `at` of a tree of full depth.
void place(const ListedTree& tree, int node, std::size_t at, Split* splits, float* leaves,
           std::size_t n_splits) {
  const auto i = static_cast<std::size_t>(node);
  const bool is_leaf = tree.left[i] < 0;
  if (at >= n_splits) {
    check(is_leaf, "XGBoost keeps to the depth");
    leaves[at - n_splits] = tree.value[i];
    return;
  }
  if (!is_leaf) splits[at] = {tree.value[i], static_cast<std::uint32_t>(tree.column[i])};
  place(tree, is_leaf ? node : tree.left[i], 2 * at + 1, splits, leaves, n_splits);
  place(tree, is_leaf ? node : tree.right[i], 2 * at + 2, splits, leaves, n_splits);
}

}  // namespace

Forest forest_of(const Booster& booster, std::size_t columns, int depth) {
  Forest forest{.columns = columns, .depth = depth, .splits = {}, .leaves = {}};
  const std::size_t n_splits = forest.n_leaves() - 1;
  for (const ListedTree& tree : parse_trees(booster.json())) {
    forest.splits.resize(forest.splits.size() + n_splits);
    forest.leaves.resize(forest.leaves.size() + forest.n_leaves());
    place(tree, 0, 0, forest.splits.data() + forest.splits.size() - n_splits,
          forest.leaves.data() + forest.leaves.size() - forest.n_leaves(), n_splits);
  }
  return forest;
}

std::optional<Forest> grow_forest(const Table& table, std::span<const float> labels,
                                  const ForestOptions& options, const WatchGrowth& watch,
                                  std::span<const float> weights) {
  const std::size_t n = table.n_rows();
  check(labels.size() == n, "every row has a label");
  check(weights.empty() || weights.size() == n, "every row has a weight");
  const TrainingTable training(table);
  Booster booster(training,
                  {.max_depth = options.depth,
                   .learning_rate = options.learning_rate,
                   .tree_columns = static_cast<int>(std::lround(kColumnShare * table.columns)),
                   .row_share = kRowShare,
                   .bins = kBins,
                   .gamma = 0,
                   .min_child_weight = kRowsOfALeaf,
                   .threads = options.threads,
                   .seed = options.seed});
  std::vector<float> gradient(n), curvature(n, 1);
  if (!weights.empty()) curvature.assign(weights.begin(), weights.end());
  const double total = std::accumulate(curvature.begin(), curvature.end(), 0.0);
  for (int trees = 0; trees <= options.trees; ++trees) {
    const std::vector<float> now = booster.values(training);
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const float error = now[i] - labels[i];
      gradient[i] = curvature[i] * error;
      squares += double{gradient[i]} * error;
    }
    if (trees > 0 && !watch(trees, std::sqrt(squares / total))) return std::nullopt;
    if (trees < options.trees) booster.boost(training, gradient, curvature);
  }
  return forest_of(booster, table.columns, options.depth);
}

}  // namespace hone::score
