// Puts instructions in their place: slots, constants, and arithmetic moved out of loops.
#pragma once
#include <initializer_list>
#include <map>
#include <tuple>
#include <vector>

#include "ir/bytecode.h"

namespace hone::ir::bytecode {

// Temporary slots (0, 1, ...) are used anew by every statement; kept ones (-1, -2, ...) hold variables,
// constants and hoisted values. `finished` gives both their final numbers.
using Slot = std::int32_t;

class Emitter {
 public:
  void begin_statement(std::int32_t position);
  Slot temporary(std::int32_t lanes);
  Slot keep(std::int32_t lanes);  // changes with the innermost level
  Slot constant(Number value, std::int32_t lanes);

  void emit(Instruction in);
  void emit(const std::vector<Instruction>& code);
  // An instruction without effect other than on its result, which the answer holds. When all operands
  // are kept it is done at the outermost level that knows them, once for all who ask for the same.
  Slot emit_pure(Instruction in, std::initializer_list<Slot> operands);

  // What `body` emits, set aside.
  template <class Body>
  std::vector<Instruction> branch(Body&& body);
  // The same for the body of a loop or let: it begins with what is hoisted to it.
  template <class Body>
  std::vector<Instruction> level(Body&& body);

  int level_of(Slot slot) const;  // how deep its value changes; 0 never
  Slot final_slot(Slot slot) const { return slot >= 0 ? slot : max_temporaries_ - slot - 1; }
  // The code so far with final slots, and what the slots hold at first.
  void finish(Code& code);

 private:
  using Key = std::tuple<Handler, Slot, Slot, Slot, std::int32_t, std::int64_t, std::int64_t>;
  struct Level {
    std::vector<Instruction> hoisted;
    std::map<Key, Slot> known;
  };
  Slot keep_at(std::size_t level, std::int32_t lanes, Number value);
  std::vector<Instruction> close_level(std::vector<Instruction> body);

  std::vector<Level> levels_{1};
  std::vector<Instruction> out_;
  std::vector<Number> kept_;                                         // initial values
  std::vector<int> kept_levels_;                                     // one a kept slot
  std::map<std::pair<std::int64_t, std::int32_t>, Slot> constants_;  // by bits and lanes
  std::int32_t statement_ = 0;
  Slot temporaries_ = 0, max_temporaries_ = 1;
};

template <class Body>
std::vector<Instruction> Emitter::branch(Body&& body) {
  std::vector<Instruction> outer = std::move(out_);
  out_.clear();
  body();
  std::swap(outer, out_);
  return outer;
}

template <class Body>
std::vector<Instruction> Emitter::level(Body&& body) {
  levels_.emplace_back();
  return close_level(branch(std::forward<Body>(body)));
}

}  // namespace hone::ir::bytecode
