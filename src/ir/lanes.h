// An expression of variables worked out for many values of them at a time.
#pragma once
#include <span>
#include <vector>

#include "ir/bytecode.h"
#include "ir/expr.h"

namespace hone::ir {

// Fill `operand(i)`, call `run`, and again. The body is compiled once and each of its operations is
// done on all lanes before the next, so that what it costs to look at an operation is spread over them.
class LaneEvaluator {
 public:
  // The body is scalar and reads no buffer; its variables are among those given.
  LaneEvaluator(std::span<const Expr> variables, const Expr& body, std::int32_t lanes);

  std::int32_t lanes() const { return lanes_; }
  std::span<Number> operand(std::size_t i) { return row(operands_[i]); }
  // The body's values; good until the next run. An integer division by zero is a UserError.
  std::span<const Number> run();

 private:
  std::span<Number> row(std::int32_t slot) {
    return {slots_.data() + slot, static_cast<std::size_t>(lanes_)};
  }

  std::int32_t lanes_;
  bytecode::Code code_;
  std::vector<Number> slots_;
  std::vector<std::int32_t> operands_;  // first slots
  std::int32_t result_ = 0;
};

}  // namespace hone::ir
