// Products by Strassen's algorithm: the group in quarters.
#pragma once
#include "task/define/piece.h"
#include "task/define/scope.h"

namespace hone::task::define {

// Gives a piece that begins with a product to be worked out so the shapes of quarters: rows become
// [m/2, 2] and columns [2, n/2]. A piece that has other shapes is worked out as defined.
void cut_into_quarters(Piece& piece);

// Defines a product of such a piece.
void define_strassen(Scope& scope, const graph::Node& product);

}  // namespace hone::task::define
