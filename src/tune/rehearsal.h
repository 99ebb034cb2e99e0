// Which candidates a network is made of in the end: those that were nearly the fastest alone, compared
// where they will run, with the caches as their neighbours leave them.
#pragma once
#include <functional>
#include <vector>

#include "tune/version.h"

namespace hone::tune {

// The fastest trials for each choice: the best one first, then the best of each other algorithm, then
// those that are nearly as fast. An algorithm that `allowed` denies is left out. Never empty: without
// any trial there is what hone emits untuned.
using Allowed = std::function<bool(graph::Algorithm)>;
std::vector<std::vector<Pick>> contenders(const Plan& plan, const std::vector<Lane>& lanes,
                                          const Allowed& allowed);

// Every choice's best in the network; its best alone where there is no time to try. `build_s` is how
// long it takes to make a version, about; `scratch` is the beginning of names for files; about
// `budget_s` is spent, and `stop` ends it early.
Selection rehearse(const Plan& plan, std::size_t network, const std::vector<Lane>& lanes,
                   const std::vector<std::vector<Pick>>& contenders, const std::string& scratch,
                   double build_s, double budget_s, const std::function<bool()>& stop);

}  // namespace hone::tune
