// What the places of a network pass on to each other, as far as its layout is chosen.
#pragma once
#include <functional>
#include <vector>

#include "tune/network_plan.h"

namespace hone::tune {

// The number of the task that transposes a value of this type from channels last to channels first.
using ConversionOf = std::function<int(const graph::ValueType& type)>;

std::vector<Handover> handovers(const graph::Graph& graph, const std::vector<Place>& places,
                                const ConversionOf& conversion_of);

}  // namespace hone::tune
