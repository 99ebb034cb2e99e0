// What search knows of the thing it searches: vectors of numbers, how to move among them, and how good
// they are said to be. Schedules, template knobs and recorded spaces all look like this.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"

namespace hone::search {

// One candidate as its decisions. Equal vectors are the same candidate.
using Point = std::vector<std::int64_t>;

// Says of each node of the computation whether it comes from the first parent.
using FromFirst = std::function<bool(int node)>;

// A set of valid points. Whatever moves may fail; what it returns is in the set.
class Domain {
 public:
  virtual ~Domain() = default;
  virtual std::optional<Point> sample(Random& random) const = 0;
  // Another point that differs in one choice.
  virtual std::optional<Point> mutate(const Point& point, Random& random) const = 0;
  // The choices of each node taken from one of two parents.
  virtual std::optional<Point> cross(const Point& first, const Point& second,
                                     const FromFirst& from_first, Random& random) const = 0;
  // Points one choice away, in a fixed order. Over them every point is reached from every other, as far
  // as the domain can say.
  virtual std::vector<Point> neighbours(const Point& point) const = 0;
};

// What a cost model expects of a point.
struct Prediction {
  double score = 0;               // of a valid program; higher is faster
  double spread = 0;              // standard deviation of the score, 0 when the model cannot tell
  double valid = 1;               // probability that it builds, runs and answers right
  std::vector<float> parts = {};  // what each node adds to the score, by node; may be empty
};

// Predictions of all points, in their order.
using Scorer = std::function<std::vector<Prediction>(std::span<const Point>)>;

}  // namespace hone::search
