// What the places of a network pass on to each other, as far as its layout is chosen.
#pragma once
#include <functional>
#include <vector>

#include "tune/network_plan.h"

namespace hone::tune {

// The number of the task that brings a value of this type from channels last to the layout of a form;
// -1 when no element moves.
using ConversionOf = std::function<int(const graph::ValueType& type, graph::Form form)>;

std::vector<Handover> handovers(const graph::Graph& graph, const std::vector<Place>& places,
                                const ConversionOf& conversion_of);

}  // namespace hone::tune
