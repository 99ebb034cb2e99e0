// Concatenations and splits without copies: values that are made or read as parts of others.
#pragma once
#include "artefact/scope.h"

namespace hone::artefact {

// Three rules, for values that have no place yet: the inputs of a concatenation are made where they lie
// in its output; a concatenation whose inputs lie side by side already, as the first ones of a later
// one's, is where they are; a slice without steps is where it was cut from. All who make or read a
// value must be able to step over what lies between its rows: a task whose tensor has rows joined into
// one dimension is not, nor are TopK and loops, and then the value is copied.
void place_views(Scope& scope);

// Where the slice lies in its input; none when the group is anything else, or takes steps.
std::optional<View> cut_from(Scope& scope, const Scope::Work& work);
// Where the inputs of a concatenation lie in its output.
std::vector<View> parts_of(Scope& scope, const graph::Node& concat);

}  // namespace hone::artefact
