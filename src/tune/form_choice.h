// Which form each place of a network takes: the one with which all places and the transpositions
// between them take the least time together.
#pragma once
#include <vector>

#include "tune/network_plan.h"

namespace hone::tune {

// Of one use each. Infinite: cannot be taken.
struct Times {
  std::vector<double> choices_s, conversions_s;
};

// Kernels alone find near what others of the network make far away. So a form other than the plain one
// counts as if it took this much longer, unless the network itself is asked (rehearsal.h).
inline constexpr double kOtherForm = 4.0 / 3;

// Of what was measured, `best_s` a choice, infinite without a trial. What was not measured is not taken
// in another form, and stays where it is the plain one.
Times measured_times(const Plan& plan, const std::vector<double>& best_s,
                     std::vector<double> conversions_s);

// By the estimate, of the alternative that it says is the fastest.
Times estimated_times(const Plan& plan, const Estimate& estimate);

// The option of each place.
std::vector<int> choose_options(const Plan& plan, std::size_t network, const Times& times);

// What would be taken if the options of places that have others took `factor` times as long: what to
// compare them with where they will run. Equal to `taken` when nothing comes so close.
std::vector<int> rival_options(const Plan& plan, std::size_t network, const Times& times,
                               const std::vector<int>& taken, double factor);

}  // namespace hone::tune
