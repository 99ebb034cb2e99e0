// Where the taps of a sliding window stand in the input.
#pragma once
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

class Taps {
 public:
  // Shapes are those of the dimensions that the window slides over. Transposed: the window slides over
  // the output, and a tap stands where it meets the output's position.
  Taps(const Window& window, const Shape& in, Shape out, bool transposed);

  std::int64_t count() const { return count_; }
  std::int64_t positions() const { return positions_; }
  // For `length` positions of the output from `first` on, tap after tap, `length` numbers each: the
  // element of the input's plane, or -1 outside of it. Positions past the last have none.
  std::vector<std::int64_t> elements(std::int64_t first, std::int64_t length) const;

 private:
  Shape kernel_, out_;
  std::int64_t count_, positions_;
  // A dimension each: what position * kernel + tap adds to the element, or a number that leaves every
  // sum negative.
  std::vector<std::vector<std::int64_t>> offsets_;
};

}  // namespace hone::graph
