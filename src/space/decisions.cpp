#include "space/decisions.h"

namespace hone::space {
namespace {

constexpr std::int64_t kItersOfAStage = 1000;  // so that a printed entry reads as stage and iterator

}  // namespace

std::int64_t to_entry(const Place& place) {
  if (place.kind != Place::Kind::At) return static_cast<std::int64_t>(place.kind);
  return (place.stage + 1) * kItersOfAStage + place.iter;
}

Place place_from(std::int64_t entry) {
  if (entry >= 0 && entry < static_cast<std::int64_t>(Place::Kind::At)) {
    return {static_cast<Place::Kind>(entry), -1, -1};
  }
  return {Place::Kind::At, static_cast<int>(entry / kItersOfAStage) - 1,
          static_cast<int>(entry % kItersOfAStage)};
}

}  // namespace hone::space
