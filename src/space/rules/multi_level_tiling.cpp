#include "space/rules/rules.h"
#include "space/rules/tile.h"

namespace hone::space::rules {

Rule multi_level_tiling() {
  const auto condition = [](const Site& site) {
    return site.needs_tiling() ? Answer::Only : Answer::Skip;
  };
  const auto apply = [](const Site& site) {
    return std::vector<Draft>{{tile(site).state, site.stage - 1}};
  };
  return {"multi_level_tiling", condition, apply};
}

}  // namespace hone::space::rules
