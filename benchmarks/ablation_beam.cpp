#include "benchmarks/ablation_beam.h"

#include <algorithm>
#include <set>

namespace hone::bench {
namespace {

using search::Point;

// About as many predictions a round as evolution asks for.
constexpr int kSamples = 256;
constexpr std::size_t kWidth = 32;
constexpr int kValues = 3;  // of an entry, tried for each program of the beam

// Every entry as small as any sample has it.
Point least(const std::vector<Point>& samples) {
  Point point = samples.front();
  for (const Point& sample : samples)
    for (std::size_t i = 0; i < point.size(); ++i) point[i] = std::min(point[i], sample[i]);
  return point;
}

void keep_best(std::vector<Point>& beam, const search::Scorer& scorer) {
  if (beam.size() <= kWidth) return;
  const std::vector<search::Prediction> predictions = scorer(beam);
  std::vector<std::size_t> order(beam.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](std::size_t i) { return search::expected_score(predictions[i]); });
  std::vector<Point> best;
  for (std::size_t i = 0; i < kWidth; ++i) best.push_back(std::move(beam[order[i]]));
  beam = std::move(best);
}

}  // namespace

Beam::Samples Beam::draw_samples(int round) const {
  Samples samples;
  for (int slot = 0; slot < kSamples; ++slot) {
    Random draws = random(round, 0, slot);
    if (std::optional<Point> point = domain_.sample(draws))
      samples[point->front()].push_back(std::move(*point));
  }
  return samples;
}

std::vector<Point> Beam::decide(const std::vector<Point>& beam, std::size_t entry,
                                const Samples& samples, int round) const {
  std::set<Point> next;
  Random draws = random(round, static_cast<int>(entry), 0);
  for (const Point& point : beam) {
    next.insert(point);
    if (entry >= point.size()) continue;
    const std::vector<Point>& alike = samples.at(point.front());
    for (int i = 0; i < kValues; ++i) {
      Point decided = point;
      decided[entry] = alike[static_cast<std::size_t>(draws.below(std::ssize(alike)))][entry];
      if (candidates_.decode(decided)) next.insert(std::move(decided));
    }
  }
  return {next.begin(), next.end()};
}

void Beam::explore(search::Pool& pool, const search::Scorer& scorer, int round) {
  const Samples samples = draw_samples(round);
  std::vector<Point> beam;
  std::size_t entries = 0;
  for (const auto& [family, members] : samples) {
    Point blank = least(members);
    if (!candidates_.decode(blank)) blank = members.front();  // its small entries do not go together
    entries = std::max(entries, blank.size());
    beam.push_back(std::move(blank));
  }
  for (std::size_t entry = 1; entry < entries; ++entry) {
    beam = decide(beam, entry, samples, round);
    keep_best(beam, scorer);
  }
  pool.add(std::move(beam), scorer);
}

}  // namespace hone::bench
