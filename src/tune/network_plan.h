// What there is to tune in networks: their distinct tasks, and where one computation can be worked out
// in several ways, the choice between them.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "graph/forms.h"
#include "graph/graph.h"
#include "graph/operators.h"
#include "task/task.h"
#include "tune/estimate.h"

namespace hone::tune {

struct Alternative {
  graph::Algorithm algorithm = graph::Algorithm::Direct;
  int task = 0;  // among Plan::tasks
};

// A computation that occurs once or often in the networks. Equal ones are one choice: what is fast in
// one place is so in the other.
struct Choice {
  std::vector<Alternative> alternatives;  // what is emitted untuned first
  std::vector<double> uses;  // how often a run of each network does it, all of it in its plain form
  graph::Form form = graph::Form::Plain;  // that it is part of
  std::string name;                       // of the first alternative's task, for people
  double flop = 0;                        // of one use, by the plain definition
};

// One form of a place: the choices that it is made of, each of which takes its own fastest.
struct Option {
  graph::Form form = graph::Form::Plain;
  std::vector<int> choices;
};

// A group of nodes whose algorithm or form is chosen. Places of equal choices can take other options:
// what a form costs depends on its neighbours.
struct Place {
  int node = 0;                 // of the graph: the convolution, product or pool of the group
  std::vector<Option> options;  // Plain first
};

bool has_form(const Place& place, graph::Form form);
bool has_layouts(const Place& place);  // others than the plain one

// A value that places make or read. When they want it in several layouts it is converted to and from
// channels last, once for all.
struct Handover {
  std::vector<int> places;  // those that have another layout to offer
  // What others make or want it in.
  bool is_last_elsewhere = false, is_first_elsewhere = false;
  // Among Plan::conversions; -1: no element moves, or no place has the layout.
  int to_first = -1, to_blocks = -1;
};

// The conversion between channels last and the layout that the form has.
int conversion_of(const Handover& handover, graph::Form form);

struct PlannedNetwork {
  graph::Graph graph;  // after its passes
  std::vector<Place> places;
  std::vector<Handover> handovers;
};

struct Plan {
  std::vector<PlannedNetwork> networks;
  std::vector<std::shared_ptr<const task::Task>> tasks;
  std::vector<Choice> choices;
  std::vector<std::shared_ptr<const task::Task>> conversions;  // transpositions, one a shape
  std::int64_t lanes = 0;                                      // see PlanOptions
};

struct PlanOptions {
  bool exact = false;  // only algorithms that round as the definition does
  // Leaves out layouts that will not pay, see worthwhile.h; without it all stay.
  Estimate estimate = {};
  // Channels of a block where they are in blocks: the f32 elements of a vector. 0: they never are.
  std::int64_t lanes = 0;
  // There is time to try blocks also where they are expected to take as long.
  bool tries_blocks = false;
};

// Of graphs after their passes.
Plan plan_networks(std::vector<graph::Graph> graphs, const PlanOptions& options);

// In use, weights that are more than the last cache holds come from memory each time.
bool are_weights_cold(const Plan& plan, const target::Target& target);

// How often a run of the network does each choice when its places take these options.
std::vector<double> uses_of(const Plan& plan, std::size_t network, const std::vector<int>& options);

// The same for any options: of a place with several, each one's choices count.
std::vector<double> possible_uses(const Plan& plan, std::size_t network);

// The network when places take these options, and each choice this one of its alternatives.
graph::Graph arranged(const Plan& plan, std::size_t network, const std::vector<int>& options,
                      const std::vector<int>& alternatives);

}  // namespace hone::tune
