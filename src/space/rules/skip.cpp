#include "space/rules/rules.h"

namespace hone::space::rules {

Rule skip() {
  return {"skip", [](const Site&) { return Answer::Apply; },
          [](const Site& site) { return std::vector<Draft>{{site.state, site.stage - 1}}; }};
}

}  // namespace hone::space::rules
