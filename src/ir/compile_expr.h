// Expressions as bytecode.
#pragma once
#include <optional>
#include <unordered_map>

#include "ir/emitter.h"
#include "ir/expr.h"
#include "ir/simplify.h"

namespace hone::ir::bytecode {

class ExprCompiler {
 public:
  explicit ExprCompiler(Emitter& emitter) : emitter_(emitter) {}

  void define(const Expr& variable, Slot slot, Interval range);
  void define(const Buffer& buffer, std::int32_t number) { buffers_[buffer.get()] = number; }
  const Ranges& ranges() const { return ranges_; }
  std::int32_t number_of(const Buffer& buffer) const { return buffers_.at(buffer.get()); }

  // What was computed for the last statement does not hold in this one.
  void begin_statement() { computed_.clear(); }
  Slot compile(const Expr& e);  // the slot of its value
  void compile_store(const Buffer& buffer, const std::vector<Expr>& index, const Expr& value);

 private:
  Slot compute(const Expr& e);
  Slot compute(const Binary& n);
  Slot compute(const Select& n, Type type);
  Slot compute_branches(const Select& n, Type type);
  Slot compute_masked(const Select& n, Type type);
  Slot compute(const Call& n, Type type);
  Slot compute(const Cast& n, Type type);
  Slot compute(const Load& n, Type type);
  // Emits the checks that each index is within its dimension, and gives the element's slot.
  Slot address(const Buffer& buffer, const std::vector<Expr>& index);
  // Like Emitter::emit_pure, but floats stay where they are: hoisting them past a condition may cost.
  Slot emit_pure(Instruction in, bool is_cheap, std::initializer_list<Slot> operands);

  Emitter& emitter_;
  std::unordered_map<const Node*, Slot> variables_, computed_;
  std::unordered_map<const BufferNode*, std::int32_t> buffers_;
  Ranges ranges_;
  std::optional<Slot> mask_;  // lanes that count, inside a lazy selection by lane
};

}  // namespace hone::ir::bytecode
