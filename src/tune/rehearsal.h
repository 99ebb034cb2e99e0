// Which candidates a network is made of in the end: those that were nearly the fastest alone, compared
// where they will run, with the caches as their neighbours leave them.
#pragma once
#include <functional>
#include <vector>

#include "tune/form_choice.h"
#include "tune/version.h"

namespace hone::tune {

// The fastest trials for each choice: the best one first, then the best of each other algorithm and of
// each other way to share the work out among threads, then those that are nearly as fast. An algorithm
// that `allowed` denies is left out. Never empty: without any trial there is what hone emits untuned.
using Allowed = std::function<bool(graph::Algorithm)>;
std::vector<std::vector<Pick>> contenders(const Plan& plan, const std::vector<Lane>& lanes,
                                          const Allowed& allowed);

// Every choice's best in the network, in the forms that are the fastest there; its best alone where
// there is no time to try. `build_s` is how long it takes to make a version, about; `scratch` is the
// beginning of names for files; about `budget_s` is spent, and `stop` ends it early.
struct Rehearsal {
  const Plan& plan;
  std::size_t network;
  const std::vector<Lane>& lanes;
  std::vector<double> conversions_s = {};  // as in Times
  std::string scratch;
  double build_s = 0, budget_s = 0;
  std::function<bool()> stop;
};
Selection rehearse(const Rehearsal& rehearsal, const std::vector<std::vector<Pick>>& contenders);

}  // namespace hone::tune
