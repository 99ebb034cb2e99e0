// A cost model small enough for a test: the mean of the nearest measured points. Scores are shares of
// the best speed.
#pragma once
#include <array>
#include <limits>

#include "tests/unit/search/recorded_space.h"

namespace hone::search {

class NearestModel {
 public:
  explicit NearestModel(const RecordedSpace& space) : space_(space) {}

  void tell(std::span<const Trial> trials);
  std::vector<Prediction> predict(std::span<const Point> points) const;

 private:
  struct Near {
    float distance = std::numeric_limits<float>::infinity();
    std::size_t known = 0;
  };
  std::array<Near, 5> nearest(const std::vector<float>& at) const;
  Prediction predict(const Point& point) const;

  const RecordedSpace& space_;
  std::vector<float> known_;                      // coordinates, point after point
  std::vector<std::optional<double>> log_times_;  // of the known points
  double best_log_time_ = std::numeric_limits<double>::infinity();
};

}  // namespace hone::search
