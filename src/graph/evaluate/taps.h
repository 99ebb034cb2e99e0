// Where the taps of a sliding window stand in the input.
#pragma once
#include <span>
#include <vector>

#include "graph/graph.h"

namespace hone::graph {

class Taps {
 public:
  // Shapes are those of the dimensions that the window slides over. Transposed: the window slides over
  // the output, and a tap stands where it meets the output's position.
  Taps(const Window& window, Shape in, Shape out, bool transposed);

  std::int64_t count() const { return model::elements(window_.kernel); }
  std::int64_t positions() const { return model::elements(out_); }
  // For `length` positions of the output from `first` on, tap after tap, `length` numbers each: the
  // element of the input's plane, or -1 outside of it. Positions past the last have none.
  std::vector<std::int64_t> elements(std::int64_t first, std::int64_t length) const;

 private:
  std::int64_t coordinate(std::int64_t position, std::int64_t tap, std::size_t d) const;

  const Window& window_;
  Shape in_, out_;
  bool transposed_;
};

}  // namespace hone::graph
