// A graph that random nodes are added to: what there is to work on, and how a node joins it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "graph/builder.h"

namespace hone::test {

using graph::Operator;
using graph::Shape;
using graph::Tensor;
using graph::ValueId;
using Sizes = std::vector<std::int64_t>;

class GrowingGraph {
 public:
  explicit GrowingGraph(std::uint64_t seed) : seed_(seed), random_(seed, 0), builder_("random") {}

  bool chance(std::int64_t one_in) { return random_.below(one_in) == 0; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + random_.below(high - low + 1);
  }
  template <class T>
  T one_of(const std::vector<T>& all) {
    return all[static_cast<std::size_t>(random_.below(static_cast<std::int64_t>(all.size())))];
  }
  std::vector<int> shuffled(int count);  // 0 to count - 1
  int axis_of(ValueId id) { return static_cast<int>(random_.below(rank(id))); }

  ir::Scalar type(ValueId id) const { return builder_.type(id).type; }
  const Shape& shape(ValueId id) const { return builder_.type(id).shape; }
  int rank(ValueId id) const { return static_cast<int>(shape(id).size()); }
  std::int64_t extent(ValueId id, int axis) const { return shape(id)[static_cast<std::size_t>(axis)]; }
  bool is_float(ValueId id) const { return type(id) == ir::Scalar::F32; }
  // The same however sums are rounded.
  bool is_exact(ValueId id) const;

  void input(ir::Scalar type, Shape shape);
  // Floats of about 1 / sqrt(terms): sums of so many products with them are no larger than what they
  // are made of.
  ValueId constant(ir::Scalar type, const Shape& shape, std::int64_t terms = 1);
  // From -below to below - 1: those of a dimension of that extent.
  ValueId indices(const Shape& shape, std::int64_t below);
  // A shape that broadcasts to this one.
  Shape broadcastable(const Shape& shape);

  // A value that fits, late ones more often than early ones.
  std::optional<ValueId> pick(const std::function<bool(ValueId)>& fits);
  std::optional<ValueId> pick_any(int least_rank);
  std::optional<ValueId> pick_float(int least_rank);

  // Adds a node unless a result would be empty or large. What it makes of exact values is exact, unless
  // it `rounds`.
  std::vector<ValueId> add(Operator op, std::vector<ValueId> inputs, bool rounds = false);
  // A map. Of floats it is taken to round.
  std::optional<ValueId> map(std::vector<ValueId> inputs, const graph::MapBody& body);

  std::int64_t nodes() const { return nodes_; }
  // Outputs are those that nobody uses.
  graph::Graph finish();

 private:
  struct Known {
    ValueId id;
    bool is_exact;
    bool is_used = false;
  };

  std::uint64_t seed_;
  Random random_;
  graph::Builder builder_;
  std::vector<Known> values_;
  std::uint64_t streams_ = 0;  // of constants so far
  std::int64_t nodes_ = 0;
};

}  // namespace hone::test
