// Functions of one or two elements: what `elementwise` computes and activation tails are made of.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "ir/expr.h"

namespace hone::task::ops {

struct Pointwise {
  std::string name;
  int operands;
  bool takes_integers;
  ir::Expr (*apply)(const ir::Expr& a, const ir::Expr& b);  // b is empty with one operand
};

const std::vector<Pointwise>& pointwise_functions();
const Pointwise& pointwise(std::string_view name);  // one that exists

}  // namespace hone::task::ops
