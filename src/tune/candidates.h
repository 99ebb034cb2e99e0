// The candidates that a search moves among, as vectors and as steps.
#pragma once
#include <map>
#include <optional>
#include <vector>

#include "schedule/step.h"
#include "search/domain.h"
#include "space/space.h"

namespace hone::tune {

class Candidates : public search::Domain {
 public:
  virtual std::optional<schedule::Steps> decode(const search::Point& point) const = 0;
  virtual std::optional<search::Point> encode(const schedule::Steps& steps) const = 0;
};

// All of a space.
class SpaceCandidates final : public Candidates {
 public:
  explicit SpaceCandidates(space::Space space) : space_(std::move(space)) {}

  std::optional<schedule::Steps> decode(const search::Point& point) const override;
  std::optional<search::Point> encode(const schedule::Steps& steps) const override;
  std::optional<search::Point> sample(Random& random) const override;
  std::optional<search::Point> mutate(const search::Point& point, Random& random) const override;
  std::optional<search::Point> cross(const search::Point& first, const search::Point& second,
                                     const search::FromFirst& from_first,
                                     Random& random) const override;
  std::vector<search::Point> neighbours(const search::Point& point) const override;

 private:
  const space::Space space_;
};

// Only those of a list, for searching among what was measured before. A step leads to the most alike of
// a few that are drawn at random, so that every point can be reached from every other.
class RecordedCandidates final : public Candidates {
 public:
  RecordedCandidates(const std::vector<schedule::Steps>& recorded, const space::Space& space);

  std::optional<schedule::Steps> decode(const search::Point& point) const override;
  std::optional<search::Point> encode(const schedule::Steps& steps) const override;
  std::optional<search::Point> sample(Random& random) const override;
  std::optional<search::Point> mutate(const search::Point& point, Random& random) const override;
  std::optional<search::Point> cross(const search::Point& first, const search::Point& second,
                                     const search::FromFirst& from_first,
                                     Random& random) const override;
  std::vector<search::Point> neighbours(const search::Point& point) const override;

 private:
  template <class Distance>
  std::optional<search::Point> nearest_drawn(Random& random, const Distance& distance) const;

  std::vector<search::Point> points_;
  std::map<search::Point, schedule::Steps> steps_;
  std::map<std::string, search::Point> by_key_;
};

}  // namespace hone::tune
