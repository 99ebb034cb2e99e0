#include "feature/touch.h"

#include <algorithm>

#include "base/error.h"
#include "feature/index.h"

namespace hone::feature {
namespace {

using schedule::Digit;
using schedule::Limits;
using schedule::Sum;
using schedule::Vars;

class Box {
 public:
  Box(const Vars& vars, const std::vector<int>& depth_of, int depth, std::int64_t turns)
      : vars_(vars), depth_of_(depth_of), depth_(depth), turns_(turns) {}

  // `around` is the digit that the sum stands in.
  Limits of(const Sum& sum, const Digit& around = {}) const {
    Limits all{sum.constant, sum.constant};
    for (const Digit& digit : sum.digits) {
      const Limits values = of(digit);
      const std::int64_t scale = scale_inside(digit.scale, around);
      all.min += scale * (scale < 0 ? values.max : values.min);
      all.max += scale * (scale < 0 ? values.min : values.max);
    }
    return all;
  }

 private:
  Limits of(const Digit& digit) const {
    const Sum* sum = vars_.sum_of(digit.var);
    Limits values = sum != nullptr ? of(*sum, digit) : of_loop(digit.var);
    if (digit.upper != 0 && (values.min < 0 || values.max >= digit.upper)) {
      values = {0, digit.upper - 1};
    }
    return {schedule::floor_div(values.min, digit.lower), schedule::floor_div(values.max, digit.lower)};
  }
  Limits of_loop(schedule::Var var) const {
    const auto id = static_cast<std::size_t>(var);
    if (id >= depth_of_.size() || depth_of_[id] < depth_) return {0, 0};
    const std::int64_t extent = vars_.extent(var);
    return {0, (depth_of_[id] == depth_ ? std::min(extent, turns_) : extent) - 1};
  }

  const Vars& vars_;
  const std::vector<int>& depth_of_;
  int depth_;
  std::int64_t turns_;
};

}  // namespace

void Touched::add(int tensor, std::int64_t elements, int bytes_an_element) {
  bytes += static_cast<double>(elements) * bytes_an_element;
  element_bytes += bytes_an_element;
  for (Entry& entry : entries) {
    if (entry.tensor != tensor) continue;
    ++entry.count;
    entry.least = std::min(entry.least, elements);
    return;
  }
  entries.push_back({tensor, 1, elements, elements});
}

const Touched::Entry& Touched::of(int tensor) const {
  for (const Entry& entry : entries) {
    if (entry.tensor == tensor) return entry;
  }
  fail("the tensor was touched");
}

void touched_box(const Vars& vars, const Access& access, const std::vector<int>& depth_of, int depth,
                 std::vector<std::int64_t>& box, std::int64_t turns) {
  const Box limits(vars, depth_of, depth, turns);
  const std::size_t rank = access.indices.front().size();
  box.resize(rank);
  for (std::size_t d = 0; d < rank; ++d) {
    Limits all = limits.of(access.indices.front()[d]);
    for (std::size_t i = 1; i < access.indices.size(); ++i) {
      const Limits other = limits.of(access.indices[i][d]);
      all = {std::min(all.min, other.min), std::max(all.max, other.max)};
    }
    box[d] = all.max - all.min + 1;
  }
}

}  // namespace hone::feature
