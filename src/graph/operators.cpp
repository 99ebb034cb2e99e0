#include "graph/operators.h"

#include <array>

namespace hone::graph {

std::string_view name_of(const Operator& op) {
  constexpr std::array<std::string_view, std::variant_size_v<Operator>> kNames = {
      "map",    "reduce",          "arg_reduce", "conv",   "conv_transpose", "pool",  "matmul",
      "einsum", "transpose",       "reshape",    "expand", "slice",          "pad",   "concat",
      "gather", "gather_elements", "gather_nd",  "resize", "cumsum",         "top_k", "loop"};
  return kNames[op.index()];
}

std::string_view name_of(Reduction reduction) {
  constexpr std::array<std::string_view, 4> kNames = {"sum", "max", "min", "prod"};
  return kNames[static_cast<std::size_t>(reduction)];
}

}  // namespace hone::graph
