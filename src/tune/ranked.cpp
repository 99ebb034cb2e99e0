// A run without trials: what the scorer ranks first is taken, and measured for the report only.
#include "tune/session.h"

namespace hone::tune {
namespace {

constexpr std::size_t kTries = 8;  // candidates of which one will answer right
constexpr double kTickS = 0.1;

}  // namespace

void Session::measure_for_report(const Candidate& candidate) {
  Meter& meter = lane_.meter();
  meter.announce({candidate.steps});
  meter.begin();
  std::optional<measure::Measurement> result;
  while (!(result = meter.next(kTickS))) waits_for("measuring for the report");
  measured(lane_, {candidate, 0, std::move(*result), 0});
}

void Session::choose_by_rank() {
  waits_for("ranking candidates");
  const std::vector<Candidate> liked = lane_.favourites(kTries);
  if (lane_.untuned()) measure_for_report(*lane_.untuned());
  for (const Candidate& candidate : liked) {
    measure_for_report(candidate);
    if (!lane_.trials().back().is_ok()) continue;
    summary_.ranked = static_cast<int>(lane_.trials().size()) - 1;
    return;
  }
}

}  // namespace hone::tune
