#include "tune/form_choice.h"

#include <algorithm>
#include <limits>

#include "tune/choice.h"

namespace hone::tune {
namespace {

using graph::Form;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Sets of layouts that a value is there in: one, or after conversions several.
enum Layouts : std::uint8_t { Last = 1, First = 2, Blocks = 4, kSets = 8 };

int layout_of(Form form) {
  return form == Form::ChannelsFirst ? First : form == Form::Blocked ? Blocks : Last;
}

// From the one that it is made in to the others.
double conversions_s(const Handover& handover, int held, const Times& times) {
  const auto to = [&](Form form) {
    const int conversion = conversion_of(handover, form);
    return (held & layout_of(form)) != 0 && conversion >= 0 ? times.conversions_s[at(conversion)] : 0;
  };
  const double first_s = to(Form::ChannelsFirst), blocks_s = to(Form::Blocked);
  if (held == First || held == Blocks) return 0;
  return (held & Last) != 0 ? first_s + blocks_s : std::max(first_s, blocks_s);
}

std::vector<double> costs_of(const Place& place, const Times& times) {
  std::vector<double> costs;
  for (const Option& option : place.options) {
    double cost = 0;
    for (const int choice : option.choices) cost += times.choices_s[at(choice)];
    costs.push_back(cost);
  }
  return costs;
}

// A node a place, then one a value that is handed over. Edges say that a value must be there in the
// layouts that places make and read it in.
ChoiceProblem problem_of(const PlannedNetwork& network, const Times& times) {
  ChoiceProblem problem;
  for (const Place& place : network.places) problem.node_cost.push_back(costs_of(place, times));
  for (const Handover& handover : network.handovers) {
    const int node = static_cast<int>(problem.node_cost.size());
    const int elsewhere =
        (handover.is_last_elsewhere ? Last : 0) | (handover.is_first_elsewhere ? First : 0);
    std::vector<double> costs;
    for (int held = 1; held < kSets; ++held)
      costs.push_back((elsewhere & ~held) == 0 ? conversions_s(handover, held, times) : kInfinity);
    problem.node_cost.push_back(std::move(costs));
    for (const int p : handover.places) {
      ChoiceProblem::Edge edge{p, node, {}};
      for (const Option& option : network.places[at(p)].options) {
        for (int held = 1; held < kSets; ++held)
          edge.cost.push_back((held & layout_of(option.form)) != 0 ? 0 : kInfinity);
      }
      problem.edges.push_back(std::move(edge));
    }
  }
  return problem;
}

std::vector<int> solve(const ChoiceProblem& problem, std::size_t places) {
  std::vector<int> taken = choose(problem);
  taken.resize(places);
  return taken;
}

}  // namespace

Times estimated_times(const Plan& plan, const Estimate& estimate) {
  Times times;
  for (const Choice& choice : plan.choices) {
    double least = kInfinity;
    for (const Alternative& one : choice.alternatives)
      least = std::min(least, estimate(*plan.tasks[at(one.task)]));
    times.choices_s.push_back(least);
  }
  for (const auto& task : plan.conversions) times.conversions_s.push_back(estimate(*task));
  return times;
}

Times measured_times(const Plan& plan, const std::vector<double>& best_s,
                     std::vector<double> conversions_s) {
  Times times{best_s, std::move(conversions_s)};
  for (std::size_t c = 0; c < best_s.size(); ++c) {
    const bool is_plain = plan.choices[c].form == Form::Plain;
    if (is_plain && best_s[c] == kInfinity) times.choices_s[c] = 0;
    if (!is_plain) times.choices_s[c] *= kOtherForm;
  }
  return times;
}

std::vector<int> choose_options(const Plan& plan, std::size_t network, const Times& times) {
  const PlannedNetwork& planned = plan.networks[network];
  return solve(problem_of(planned, times), planned.places.size());
}

std::vector<int> rival_options(const Plan& plan, std::size_t network, const Times& times,
                               const std::vector<int>& taken, double factor) {
  const PlannedNetwork& planned = plan.networks[network];
  ChoiceProblem problem = problem_of(planned, times);
  for (std::size_t p = 0; p < taken.size(); ++p) problem.node_cost[p][at(taken[p])] *= factor;
  return solve(problem, taken.size());
}

}  // namespace hone::tune
