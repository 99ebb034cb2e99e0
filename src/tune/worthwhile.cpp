#include "tune/worthwhile.h"

#include <algorithm>
#include <set>

#include "tune/form_choice.h"

namespace hone::tune {
namespace {

using graph::Form;

// The estimate is kind to channels first: convolutions that it says take about as long in both layouts
// take 1.2 to 7 times as long untuned on a Zen 4 (docs/networks.md has the table). Of blocks it knows
// as much as of the plain layout, but each that is tried is one more task to tune.
constexpr double kDoubt = 1.25;
// What it cannot see, as cache lines that get into each other's way, is for blocks.
constexpr double kTried = 0.95;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

void keep_layouts(PlannedNetwork& network, const std::vector<int>& taken) {
  for (std::size_t p = 0; p < network.places.size(); ++p) {
    std::vector<Option>& options = network.places[p].options;
    const Form kept = options[at(taken[p])].form;
    std::erase_if(options, [&](const Option& option) {
      return graph::is_layout(option.form) && option.form != kept;
    });
  }
  // Places that are left with one layout want every value in it.
  for (Handover& handover : network.handovers) {
    const auto erased =
        std::erase_if(handover.places, [&](int p) { return !has_layouts(network.places[at(p)]); });
    handover.is_last_elsewhere |= erased > 0;
  }
  std::erase_if(network.handovers, [](const Handover& handover) { return handover.places.empty(); });
}

std::set<int> used_choices(const Plan& plan) {
  std::set<int> used;
  for (std::size_t n = 0; n < plan.networks.size(); ++n) {
    const std::vector<double> uses = possible_uses(plan, n);
    for (std::size_t c = 0; c < uses.size(); ++c) {
      if (uses[c] > 0) used.insert(static_cast<int>(c));
    }
  }
  return used;
}

// Without choices and tasks that no network uses any more.
Plan without_unused(Plan plan) {
  std::vector<int> choice_now(plan.choices.size(), -1), task_now(plan.tasks.size(), -1);
  Plan left;
  for (const int c : used_choices(plan)) {
    choice_now[at(c)] = static_cast<int>(left.choices.size());
    Choice& choice = left.choices.emplace_back(std::move(plan.choices[at(c)]));
    for (Alternative& one : choice.alternatives) {
      int& now = task_now[at(one.task)];
      if (now < 0) {
        now = static_cast<int>(left.tasks.size());
        left.tasks.push_back(plan.tasks[at(one.task)]);
      }
      one.task = now;
    }
  }
  left.networks = std::move(plan.networks);
  left.conversions = std::move(plan.conversions);
  left.lanes = plan.lanes;
  for (PlannedNetwork& network : left.networks) {
    for (Place& place : network.places) {
      for (Option& option : place.options) {
        for (int& choice : option.choices) choice = choice_now[at(choice)];
      }
    }
  }
  return left;
}

}  // namespace

Plan worthwhile(Plan plan, const Estimate& estimate, bool tries_blocks) {
  Times times = estimated_times(plan, estimate);
  for (std::size_t c = 0; c < times.choices_s.size(); ++c) {
    const Form form = plan.choices[c].form;
    if (graph::is_layout(form))
      times.choices_s[c] *= form == Form::Blocked && tries_blocks ? kTried : kDoubt;
  }
  for (std::size_t n = 0; n < plan.networks.size(); ++n)
    keep_layouts(plan.networks[n], choose_options(plan, n, times));
  return without_unused(std::move(plan));
}

}  // namespace hone::tune
