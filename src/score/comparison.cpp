#include "score/comparison.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/random.h"

namespace hone::score {
namespace {

using Values = std::vector<double>;  // one a metric

Values subtract(Values a, const Values& b) {
  std::ranges::transform(a, b, a.begin(), std::minus{});
  return a;
}

Values mean_of(const std::vector<Values>& all) {
  Values mean(all.front().size());
  for (const Values& one : all) std::ranges::transform(mean, one, mean.begin(), std::plus{});
  for (double& value : mean) value /= static_cast<double>(all.size());
  return mean;
}

std::vector<Values> of_each_seed(const Judge& judge, const Contestant& contestant,
                                 const Values& counts) {
  std::vector<Values> all;
  for (const std::vector<Verdict>& verdicts : contestant.seeds)
    all.push_back(judge.summarise(verdicts, counts));
  return all;
}

double deviation(const std::vector<Values>& seeds, std::size_t metric, double mean) {
  if (seeds.size() < 2) return 0;
  double squares = 0;
  for (const Values& seed : seeds) squares += (seed[metric] - mean) * (seed[metric] - mean);
  return std::sqrt(squares / static_cast<double>(seeds.size() - 1));
}

// Metrics of the tasks as they are, and of every draw of them.
struct Sampled {
  Values values;
  std::vector<Values> draws;
  std::vector<Values> seeds;
};

Sampled sample(const Judge& judge, const Contestant& contestant, const Values& as_they_are,
               const std::vector<Values>& draws) {
  Sampled out{.values = {}, .draws = {}, .seeds = of_each_seed(judge, contestant, as_they_are)};
  out.values = mean_of(out.seeds);
  for (const Values& counts : draws)
    out.draws.push_back(mean_of(of_each_seed(judge, contestant, counts)));
  return out;
}

// Of one metric, in each draw.
Values column(const Sampled& of, std::size_t metric) {
  Values out;
  for (const Values& draw : of.draws) out.push_back(draw[metric]);
  return out;
}

Estimate estimate(double value, Values draws) {
  constexpr double kTail = 0.025;
  std::ranges::sort(draws);
  const auto tail = static_cast<std::size_t>(kTail * static_cast<double>(draws.size()));
  return {.value = value, .low = draws[tail], .high = draws[draws.size() - 1 - tail]};
}

std::size_t best_in(const std::vector<Sampled>& all, std::size_t metric, Family family) {
  const double sign = is_better_low(family) ? -1 : 1;
  std::size_t best = 0;
  for (std::size_t i = 1; i < all.size(); ++i) {
    if (sign * all[i].values[metric] > sign * all[best].values[metric]) best = i;
  }
  return best;
}

Values draw(std::span<const std::size_t> part, std::size_t n_tasks, std::uint64_t seed, int number) {
  Values counts(n_tasks);
  Random random(seed, static_cast<std::uint64_t>(number));
  for (std::size_t i = 0; i < part.size(); ++i)
    counts[part[static_cast<std::size_t>(random.below(std::ssize(part)))]] += 1;
  return counts;
}

}  // namespace

std::vector<Standing> compare(const Judge& judge, std::span<const Contestant> contestants,
                              std::span<const std::size_t> part, const CompareOptions& options) {
  check(!part.empty() && options.draws > 0, "there are tasks to compare on");
  const std::size_t n_tasks = judge.set().tasks.size();
  Values as_they_are(n_tasks);
  for (const std::size_t task : part) as_they_are[task] = 1;
  std::vector<Values> draws;
  for (int i = 0; i < options.draws; ++i) draws.push_back(draw(part, n_tasks, options.seed, i));

  std::vector<Sampled> sampled;
  for (const Contestant& contestant : contestants)
    sampled.push_back(sample(judge, contestant, as_they_are, draws));
  std::vector<Standing> standings;
  for (const Contestant& contestant : contestants)
    standings.push_back({contestant.name, contestant.seeds.size(), {}, {}});
  for (std::size_t metric = 0; metric < judge.metrics().size(); ++metric) {
    const std::size_t best = best_in(sampled, metric, judge.metrics()[metric].family);
    for (std::size_t i = 0; i < sampled.size(); ++i) {
      const double value = sampled[i].values[metric];
      Estimate& own = standings[i].estimates.emplace_back(estimate(value, column(sampled[i], metric)));
      own.seed_deviation = deviation(sampled[i].seeds, metric, value);
      standings[i].behind_best.push_back(
          estimate(value - sampled[best].values[metric],
                   subtract(column(sampled[i], metric), column(sampled[best], metric))));
    }
  }
  return standings;
}

}  // namespace hone::score
