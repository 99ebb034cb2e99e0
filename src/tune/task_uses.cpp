#include "tune/task_uses.h"

#include <algorithm>
#include <map>

namespace hone::tune {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

double extra_s(const PlannedNetwork& network, int place, const Option& option, const Times& expected) {
  if (option.form == graph::Form::Plain) return 0;
  double own = 0, conversions = 0;
  for (const int choice : option.choices) own += expected.choices_s[at(choice)];
  for (const Handover& handover : network.handovers) {
    const int conversion = conversion_of(handover, option.form);
    if (conversion >= 0 && std::ranges::count(handover.places, place) > 0)
      conversions += expected.conversions_s[at(conversion)];
  }
  return (kOtherForm - 1) * own + conversions / 2;
}

}  // namespace

std::vector<std::vector<TaskUse>> task_uses(const Plan& plan, const Times& expected) {
  std::vector<std::vector<TaskUse>> all(plan.tasks.size());
  const auto add = [&](int choice, const TaskUse& use) {
    for (const Alternative& one : plan.choices[at(choice)].alternatives)
      all[at(one.task)].push_back(use);
  };
  for (int n = 0; n < static_cast<int>(plan.networks.size()); ++n) {
    const PlannedNetwork& network = plan.networks[at(n)];
    std::map<int, std::vector<int>> places_of;  // with several options, by their plain choice
    for (int p = 0; p < static_cast<int>(network.places.size()); ++p) {
      const std::vector<Option>& options = network.places[at(p)].options;
      if (options.size() > 1) places_of[options[0].choices[0]].push_back(p);
    }
    for (int c = 0; c < static_cast<int>(plan.choices.size()); ++c) {
      const auto places = places_of.find(c);
      const double in_places =
          places != places_of.end() ? static_cast<double>(places->second.size()) : 0;
      const double others = plan.choices[at(c)].uses[at(n)] - in_places;
      if (others > 0) add(c, {n, c, others});
    }
    for (const auto& [plain, places] : places_of) {
      const std::vector<Option>& options = network.places[at(places[0])].options;
      const int group = static_cast<int>(plan.choices.size()) + plain;
      for (int o = 0; o < static_cast<int>(options.size()); ++o) {
        TaskUse use{n,
                    group,
                    static_cast<double>(places.size()),
                    extra_s(network, places[0], options[at(o)], expected),
                    o,
                    0};
        for (const int choice : options[at(o)].choices) {
          add(choice, use);
          ++use.part;
        }
      }
    }
  }
  return all;
}

}  // namespace hone::tune
