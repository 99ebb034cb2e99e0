#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "search/annealing.h"
#include "search/coordinate.h"
#include "search/evolution.h"
#include "search/random_search.h"

namespace hone::search {

const std::vector<std::string>& search_names() {
  static const std::vector<std::string> kNames = {"evolution", "random", "annealing", "coordinate"};
  return kNames;
}

std::unique_ptr<Search> make_search(std::string_view name, const Domain& domain,
                                    const Options& options) {
  if (name == "evolution") return std::make_unique<Evolution>(domain, options);
  if (name == "random") return std::make_unique<RandomSearch>(domain, options);
  if (name == "annealing") return std::make_unique<Annealing>(domain, options);
  if (name == "coordinate") return std::make_unique<CoordinateDescent>(domain, options);
  throw UserError("unknown search '" + std::string(name) + "'", did_you_mean(name, search_names()));
}

}  // namespace hone::search
