// A graph's node as tensor expressions: one function an operator, one file a family.
//
// Names of ops and axes follow from the operator alone, never from the model: two layers that compute
// the same thing make the same task.
#pragma once
#include "task/define/scope.h"

namespace hone::task::define {

// Binds the node's output. TopK and Loop are no tensor expressions: an InternalError.
void define(Scope& scope, const graph::Node& node);

void define(Scope& scope, const graph::Node& node, const graph::Map& map);

void define(Scope& scope, const graph::Node& node, const graph::Reduce& reduce);
void define(Scope& scope, const graph::Node& node, const graph::ArgReduce& reduce);
void define(Scope& scope, const graph::Node& node, const graph::CumSum& sum);

void define(Scope& scope, const graph::Node& node, const graph::Conv& conv);
void define(Scope& scope, const graph::Node& node, const graph::ConvTranspose& conv);
void define(Scope& scope, const graph::Node& node, const graph::Pool& pool);

void define(Scope& scope, const graph::Node& node, const graph::MatMul& product);
void define(Scope& scope, const graph::Node& node, const graph::Einsum& einsum);

void define(Scope& scope, const graph::Node& node, const graph::Transpose& transpose);
void define(Scope& scope, const graph::Node& node, const graph::Reshape& reshape);
void define(Scope& scope, const graph::Node& node, const graph::Expand& expand);
void define(Scope& scope, const graph::Node& node, const graph::Slice& slice);
void define(Scope& scope, const graph::Node& node, const graph::Pad& pad);
void define(Scope& scope, const graph::Node& node, const graph::Concat& concat);

void define(Scope& scope, const graph::Node& node, const graph::Gather& gather);
void define(Scope& scope, const graph::Node& node, const graph::GatherElements& gather);
void define(Scope& scope, const graph::Node& node, const graph::GatherND& gather);

void define(Scope& scope, const graph::Node& node, const graph::Resize& resize);

}  // namespace hone::task::define
