// `hone inspect MODEL --tasks`: what there is to tune in it.
#pragma once
#include "graph/graph.h"
#include "tune/network_plan.h"

namespace hone::cli {

int inspect_tasks(graph::Graph graph, bool json);  // gives the exit code

// The table, for one network or several.
void print_tasks(const tune::Plan& plan);

}  // namespace hone::cli
