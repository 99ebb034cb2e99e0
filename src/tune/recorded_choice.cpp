#include "tune/recorded_choice.h"

#include <algorithm>
#include <limits>

#include "tune/form_choice.h"

namespace hone::tune {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// An estimate that is less than this share of the first alternative's is clear. It is not kind to other
// algorithms: on a Zen 4 all 3 x 3 convolutions of ResNet-18, SqueezeNet and Inception-v3 for which
// Winograd is expected to take less take 0.36 to 0.80 of the direct time.
constexpr double kClear = 0.9;
// It is kind to channels first, and the border of blocks is a conversion that nobody has timed.
constexpr double kLayoutDoubt = 2;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Fastest {
  int alternative = 0;
  double seconds = kInfinity;
};

Fastest fastest_recorded(const Plan& plan, const Choice& choice, const RecordedTime& recorded) {
  Fastest best;
  for (std::size_t a = 0; a < choice.alternatives.size(); ++a) {
    const double seconds = recorded(*plan.tasks[at(choice.alternatives[a].task)]).value_or(kInfinity);
    if (seconds < best.seconds) best = {static_cast<int>(a), seconds};
  }
  return best;
}

Fastest fastest_expected(const Plan& plan, const Choice& choice, const Estimate& estimate) {
  Fastest best{0, estimate(*plan.tasks[at(choice.alternatives[0].task)])};
  const double first_s = best.seconds;
  for (std::size_t a = 1; a < choice.alternatives.size(); ++a) {
    const double seconds = estimate(*plan.tasks[at(choice.alternatives[a].task)]);
    if (seconds < best.seconds && seconds < kClear * first_s) best = {static_cast<int>(a), seconds};
  }
  return best;
}

// Where nothing of a place was measured its layout goes by the estimate, if that is clear.
void expect_layouts(const Plan& plan, std::size_t network, const std::vector<double>& expected_s,
                    const std::vector<double>& recorded_s, Times& times) {
  for (const Place& place : plan.networks[network].places) {
    const auto is_recorded = [&](const Option& option) {
      return recorded_s[at(option.choices[0])] < kInfinity;
    };
    if (std::ranges::any_of(place.options, is_recorded)) continue;
    for (const Option& option : place.options) {
      const int choice = option.choices[0];
      const double doubt = option.form == graph::Form::Plain ? 1 : kLayoutDoubt;
      if (option.choices.size() == 1) times.choices_s[at(choice)] = doubt * expected_s[at(choice)];
    }
  }
}

}  // namespace

Recorded choose_recorded(const Plan& plan, std::size_t network, const RecordedTime& recorded,
                         const Estimate& estimate) {
  Recorded chosen;
  std::vector<double> recorded_s, expected_s, conversions_s;
  for (const Choice& choice : plan.choices) {
    const Fastest known = fastest_recorded(plan, choice, recorded);
    const Fastest expected = fastest_expected(plan, choice, estimate);
    const bool is_known = known.seconds < kInfinity;
    chosen.alternatives.push_back(is_known ? known.alternative : expected.alternative);
    recorded_s.push_back(known.seconds);
    expected_s.push_back(expected.seconds);
  }
  for (const auto& task : plan.conversions) conversions_s.push_back(estimate(*task));
  Times times = measured_times(plan, recorded_s, conversions_s);
  expect_layouts(plan, network, expected_s, recorded_s, times);
  chosen.options = choose_options(plan, network, times);
  return chosen;
}

}  // namespace hone::tune
