#include "score/label_choice.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <ranges>

#include "base/error.h"
#include "base/random.h"

namespace hone::score {
namespace {

constexpr std::size_t kLabelsATask = 16;
// Of programs that the model believes to be slow, and of those that it is sure of: somebody has to
// stand for them, too.
constexpr double kLeastWeight = 0.1;

// Each column of the places in units of its standard deviation.
std::vector<double> scales_of(std::span<const Prospect> prospects) {
  const auto n = static_cast<double>(prospects.size());
  std::vector<double> sums(prospects[0].place.size()), squares(sums.size()), scales;
  for (const Prospect& prospect : prospects) {
    check(prospect.place.size() == sums.size(), "places have equally many numbers");
    for (std::size_t j = 0; j < sums.size(); ++j) {
      sums[j] += double{prospect.place[j]};
      squares[j] += double{prospect.place[j]} * double{prospect.place[j]};
    }
  }
  for (std::size_t j = 0; j < sums.size(); ++j) {
    const double variance = squares[j] / n - sums[j] / n * (sums[j] / n);
    scales.push_back(variance > 1e-12 ? 1 / std::sqrt(variance) : 0);
  }
  return scales;
}

// Between all pairs, row after row.
std::vector<float> distances_of(std::span<const Prospect> prospects) {
  const std::size_t n = prospects.size();
  const std::vector<double> scales = scales_of(prospects);
  std::vector<float> out(n * n);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      double squares = 0;
      for (std::size_t j = 0; j < scales.size(); ++j) {
        const double apart =
            scales[j] * (double{prospects[a].place[j]} - double{prospects[b].place[j]});
        squares += apart * apart;
      }
      out[a * n + b] = out[b * n + a] = static_cast<float>(std::sqrt(squares));
    }
  }
  return out;
}

class Cover {
 public:
  explicit Cover(std::span<const Prospect> prospects)
      : prospects_(prospects),
        distances_(distances_of(prospects)),
        nearest_(prospects.size(), *std::ranges::max_element(distances_)),
        is_taken_(prospects.size()) {}

  void take(std::size_t prospect) {
    if (is_taken_[prospect]) return;
    is_taken_[prospect] = true;
    taken_.push_back(prospect);
    for (std::size_t i = 0; i < nearest_.size(); ++i)
      nearest_[i] = std::min(nearest_[i], distance(prospect, i));
  }

  // The one that brings the others nearest; the first of equals.
  void take_best() {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t i = 0; i < prospects_.size(); ++i) {
      const double gain = is_taken_[i] ? -1 : gain_of(i);
      if (gain <= most) continue;
      best = i;
      most = gain;
    }
    take(best);
  }

  const std::vector<std::size_t>& taken() const { return taken_; }

 private:
  float distance(std::size_t a, std::size_t b) const { return distances_[a * prospects_.size() + b]; }

  double gain_of(std::size_t prospect) const {
    double gain = 0;
    for (std::size_t i = 0; i < nearest_.size(); ++i)
      gain += prospects_[i].weight * std::max(0.0, double{nearest_[i]} - double{distance(prospect, i)});
    return gain;
  }

  std::span<const Prospect> prospects_;
  std::vector<float> distances_;
  std::vector<float> nearest_;  // of each, the distance to what is taken
  std::vector<bool> is_taken_;
  std::vector<std::size_t> taken_;
};

// The spread of the logarithm of the score.
double doubt_of(const Prediction& program) {
  return program.score > 0 ? program.spread / program.score : 0;
}

}  // namespace

std::vector<std::size_t> cover(std::span<const Prospect> prospects, std::size_t n,
                               std::span<const std::size_t> wanted) {
  if (prospects.empty() || n == 0) return {};
  Cover covered(prospects);
  n = std::min(n, prospects.size());
  for (const std::size_t prospect : wanted.first(std::min(n, wanted.size()))) covered.take(prospect);
  while (covered.taken().size() < n) covered.take_best();
  return covered.taken();
}

std::vector<std::size_t> choose_actively(std::span<const Prediction> programs, std::size_t n) {
  if (programs.empty()) return {};
  const auto speed = [](const Prediction& program) { return program.score * program.valid; };
  const auto fastest = std::ranges::max_element(programs, {}, speed);
  const double best = speed(*fastest);
  const double most_doubt = std::ranges::max(programs | std::views::transform(doubt_of));
  std::vector<Prospect> prospects;
  for (const Prediction& program : programs) {
    check(!program.hidden.empty(), "the network tells what its last layer reads");
    const double fast = best > 0 ? speed(program) / best : 1;
    const double unsure = most_doubt > 0 ? doubt_of(program) / most_doubt : 1;
    prospects.push_back({program.hidden, (kLeastWeight + fast) * (kLeastWeight + unsure)});
  }
  const auto first = static_cast<std::size_t>(fastest - programs.begin());
  return cover(prospects, n, std::span(&first, 1));
}

std::vector<std::size_t> choose_randomly(std::size_t of, std::size_t n, std::uint64_t seed,
                                         std::uint64_t stream) {
  std::vector<std::size_t> all(of);
  std::iota(all.begin(), all.end(), std::size_t{0});
  n = std::min(n, of);
  Random random(seed, stream);
  for (std::size_t i = 0; i < n; ++i) {
    const auto left = static_cast<std::int64_t>(of - i);
    std::swap(all[i], all[i + static_cast<std::size_t>(random.below(left))]);
  }
  all.resize(n);
  return all;
}

std::vector<std::size_t> even_shares(std::size_t n, std::span<const std::size_t> room) {
  std::vector<std::size_t> shares(room.size());
  for (bool has_room = true; n > 0 && has_room;) {
    has_room = false;
    for (std::size_t i = 0; i < room.size() && n > 0; ++i) {
      if (shares[i] == room[i]) continue;
      ++shares[i];
      --n;
      has_room = true;
    }
  }
  return shares;
}

std::size_t tasks_for(std::size_t n) { return std::max<std::size_t>(1, n / kLabelsATask); }

}  // namespace hone::score
