// What measuring a point is worth, from its score and how sure the model is of it.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "search/domain.h"

namespace hone::search {

enum class Acquisition {
  Greedy,               // the expected score
  ExpectedImprovement,  // how much it will on average exceed the best
  Thompson,             // one draw from what the score may be
};

const std::vector<std::string>& acquisition_names();  // greedy, improvement, thompson
// Throws UserError for a name that is none of these.
Acquisition acquisition_from_name(std::string_view name);

// A worth for each prediction. `best` is what the same model says of the best measured point.
// Improvement is greed when there is none, and when the model never says how sure it is. `seed` decides
// the draws.
std::vector<double> worths(Acquisition acquisition, std::span<const Prediction* const> predictions,
                           std::optional<double> best, std::uint64_t seed);

}  // namespace hone::search
