#include "tune/candidates.h"

#include <algorithm>

#include "schedule/step_json.h"

namespace hone::tune {
namespace {

constexpr int kDraws = 16;           // for one step among recorded candidates
constexpr std::size_t kNearest = 8;  // neighbours of a recorded candidate

// In how many entries two points differ; all of the longer one when they are of different families.
std::size_t distance(const search::Point& a, const search::Point& b) {
  if (a.size() != b.size() || a.empty() || a[0] != b[0]) return std::max(a.size(), b.size());
  std::size_t different = 0;
  for (std::size_t i = 0; i < a.size(); ++i) different += a[i] != b[i];
  return different;
}

}  // namespace

std::optional<schedule::Steps> SpaceCandidates::decode(const search::Point& point) const {
  return space_.decode(point);
}
std::optional<search::Point> SpaceCandidates::encode(const schedule::Steps& steps) const {
  return space_.encode(steps);
}
std::optional<search::Point> SpaceCandidates::sample(Random& random) const {
  return space_.sample(random);
}
std::optional<search::Point> SpaceCandidates::mutate(const search::Point& point, Random& random) const {
  return space_.mutate(point, random);
}
std::optional<search::Point> SpaceCandidates::cross(const search::Point& first,
                                                    const search::Point& second,
                                                    const search::FromFirst& from_first,
                                                    Random& random) const {
  return space_.cross(first, second, from_first, random);
}
std::vector<search::Point> SpaceCandidates::neighbours(const search::Point& point) const {
  return space_.neighbours(point);
}

RecordedCandidates::RecordedCandidates(const std::vector<schedule::Steps>& recorded,
                                       const space::Space& space) {
  for (const schedule::Steps& steps : recorded) {
    // What is no member of the space can be measured all the same; it is a family of its own.
    const auto alone = -1 - static_cast<std::int64_t>(points_.size());
    const search::Point point = space.encode(steps).value_or(search::Point{alone});
    if (!steps_.emplace(point, steps).second) continue;
    by_key_.emplace(schedule::to_json(steps), point);
    points_.push_back(point);
  }
}

std::optional<schedule::Steps> RecordedCandidates::decode(const search::Point& point) const {
  const auto found = steps_.find(point);
  return found == steps_.end() ? std::nullopt : std::optional(found->second);
}
std::optional<search::Point> RecordedCandidates::encode(const schedule::Steps& steps) const {
  const auto found = by_key_.find(schedule::to_json(steps));
  return found == by_key_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<search::Point> RecordedCandidates::sample(Random& random) const {
  if (points_.empty()) return std::nullopt;
  return points_[static_cast<std::size_t>(random.below(std::ssize(points_)))];
}

template <class Distance>
std::optional<search::Point> RecordedCandidates::nearest_drawn(Random& random,
                                                               const Distance& distance_of) const {
  std::optional<search::Point> nearest;
  for (int i = 0; i < kDraws; ++i) {
    std::optional<search::Point> drawn = sample(random);
    if (!drawn || distance_of(*drawn) == 0) continue;
    if (!nearest || distance_of(*drawn) < distance_of(*nearest)) nearest = std::move(drawn);
  }
  return nearest;
}

std::optional<search::Point> RecordedCandidates::mutate(const search::Point& point,
                                                        Random& random) const {
  return nearest_drawn(random, [&](const search::Point& other) { return distance(point, other); });
}

std::optional<search::Point> RecordedCandidates::cross(const search::Point& first,
                                                       const search::Point& second,
                                                       const search::FromFirst& /*unused*/,
                                                       Random& random) const {
  return nearest_drawn(random, [&](const search::Point& other) {
    return distance(first, other) * distance(second, other);  // 0 for a parent itself
  });
}

std::vector<search::Point> RecordedCandidates::neighbours(const search::Point& point) const {
  std::vector<search::Point> others = points_;
  std::erase(others, point);
  const std::size_t count = std::min(kNearest, others.size());
  std::ranges::stable_sort(others, {}, [&](const auto& other) { return distance(point, other); });
  others.resize(count);
  return others;
}

}  // namespace hone::tune
