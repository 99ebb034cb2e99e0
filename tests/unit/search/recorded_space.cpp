#include "tests/unit/search/recorded_space.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "base/error.h"
#include "base/gzip.h"

namespace hone::search {

RecordedSpace::RecordedSpace(std::string name, const std::string& csv) : name_(std::move(name)) {
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);  // the names of the columns; the last two are time and status
  while (std::getline(lines, line)) add_row(line);
  check(!points_.empty(), "a recorded space has points");
  best_time_ = std::numeric_limits<double>::infinity();
  values_.resize(points_.front().size());
  for (const Point& point : points_) {
    best_time_ = std::min(best_time_, rows_.at(point).time.value_or(best_time_));
    for (std::size_t i = 0; i < point.size(); ++i) values_[i].push_back(point[i]);
  }
  for (auto& values : values_) {
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
  }
  place_rows();
}

void RecordedSpace::place_rows() {
  for (const Point& point : points_) {
    for (std::size_t i = 0; i < point.size(); ++i) {
      const auto& values = values_[i];
      const auto place =
          static_cast<float>(std::ranges::lower_bound(values, point[i]) - values.begin());
      const auto last = static_cast<float>(std::max<std::size_t>(values.size(), 2) - 1);
      rows_.at(point).coordinates.push_back(place / last);
    }
  }
}

void RecordedSpace::add_row(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream rest(line);
  for (std::string field; std::getline(rest, field, ',');) fields.push_back(field);
  check(fields.size() > 2, "a row has a configuration, a time and a status");
  Point point;
  for (std::size_t i = 0; i + 2 < fields.size(); ++i) point.push_back(std::stoll(fields[i]));
  const bool ok = fields.back() == "ok";
  rows_[point].time = ok ? std::optional(std::stod(fields[fields.size() - 2])) : std::nullopt;
  points_.push_back(std::move(point));
}

std::optional<Point> RecordedSpace::sample(Random& random) const {
  return points_[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(points_.size())))];
}

std::optional<Point> RecordedSpace::mutate(const Point& point, Random& random) const {
  Point other = point;
  const auto column = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(point.size())));
  const auto& values = values_[column];
  other[column] =
      values[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(values.size())))];
  if (other == point || !rows_.contains(other)) return std::nullopt;
  return other;
}

std::optional<Point> RecordedSpace::cross(const Point& first, const Point& second,
                                          const FromFirst& from_first, Random& /*unused*/) const {
  Point child = first;
  for (std::size_t i = 0; i < child.size(); ++i) {
    if (!from_first(static_cast<int>(i))) child[i] = second[i];
  }
  if (!rows_.contains(child)) return std::nullopt;
  return child;
}

std::vector<Point> RecordedSpace::neighbours(const Point& point) const {
  std::vector<Point> out;
  for (std::size_t i = 0; i < point.size(); ++i) {
    for (const std::int64_t value : values_[i]) {
      Point other = point;
      other[i] = value;
      if (other != point && rows_.contains(other)) out.push_back(std::move(other));
    }
  }
  return out;
}

std::vector<RecordedSpace> read_recorded_spaces(const std::string& path) {
  constexpr std::size_t kBlock = 512;  // a tar archive is a header and contents, each in whole blocks
  const std::string tar = read_maybe_gzip(path);
  std::vector<RecordedSpace> spaces;
  for (std::size_t at = 0; at + kBlock <= tar.size() && tar[at] != '\0';) {
    const std::string name = tar.c_str() + at;
    const std::size_t size = std::stoul(tar.substr(at + 124, 12), nullptr, 8);
    const std::string contents = tar.substr(at + kBlock, size);
    at += kBlock + (size + kBlock - 1) / kBlock * kBlock;
    if (!name.ends_with(".csv")) continue;
    spaces.emplace_back(name.substr(0, name.size() - 4), contents);
  }
  return spaces;
}

}  // namespace hone::search
