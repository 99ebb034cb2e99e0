// A search space in which every point was measured by others, so that the true optimum is known.
#pragma once
#include <string>
#include <unordered_map>

#include "search/search.h"
#include "search/seen.h"

namespace hone::search {

// Points are the rows of a CSV file, an entry a column. Each column is a node of its own.
class RecordedSpace : public Domain {
 public:
  RecordedSpace(std::string name, const std::string& csv);

  std::optional<Point> sample(Random& random) const override;
  std::optional<Point> mutate(const Point& point, Random& random) const override;
  std::optional<Point> cross(const Point& first, const Point& second, const FromFirst& from_first,
                             Random& random) const override;
  std::vector<Point> neighbours(const Point& point) const override;

  const std::string& name() const { return name_; }
  Trial measure(const Point& point) const { return {point, rows_.at(point).time}; }
  double best_time() const { return best_time_; }
  // Each entry as a number from 0 to 1: the place of its value among those of the column.
  const std::vector<float>& coordinates(const Point& point) const {
    return rows_.at(point).coordinates;
  }

 private:
  struct Row {
    std::optional<double> time;
    std::vector<float> coordinates;
  };
  void add_row(const std::string& line);
  void place_rows();

  std::string name_;
  std::vector<Point> points_;
  std::unordered_map<Point, Row, PointHash> rows_;
  std::vector<std::vector<std::int64_t>> values_;  // of each column, ascending
  double best_time_ = 0;
};

// The CSV files of a tar archive, which may be compressed.
std::vector<RecordedSpace> read_recorded_spaces(const std::string& path);

}  // namespace hone::search
