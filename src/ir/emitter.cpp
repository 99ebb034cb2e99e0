#include "ir/emitter.h"

#include <algorithm>

namespace hone::ir::bytecode {

void Emitter::begin_statement(std::int32_t position) {
  statement_ = position;
  temporaries_ = 0;
}

Slot Emitter::temporary(std::int32_t lanes) {
  const Slot first = temporaries_;
  temporaries_ += lanes;
  max_temporaries_ = std::max(max_temporaries_, temporaries_);
  return first;
}

Slot Emitter::keep(std::int32_t lanes) { return keep_at(levels_.size() - 1, lanes, {.i = 0}); }

// Kept slot -1 - k is the k-th; `finish` turns them round, so that lanes then follow each other.
Slot Emitter::keep_at(std::size_t level, std::int32_t lanes, Number value) {
  kept_.insert(kept_.end(), static_cast<std::size_t>(lanes), value);
  kept_levels_.insert(kept_levels_.end(), static_cast<std::size_t>(lanes), static_cast<int>(level));
  return -static_cast<Slot>(kept_.size()) + lanes - 1;
}

Slot Emitter::constant(Number value, std::int32_t lanes) {
  const auto [found, is_new] = constants_.try_emplace({value.i, lanes}, 0);
  if (is_new) found->second = keep_at(0, lanes, value);
  return found->second;
}

void Emitter::emit(Instruction in) {
  in.statement = statement_;
  out_.push_back(in);
}

void Emitter::emit(const std::vector<Instruction>& code) {
  out_.insert(out_.end(), code.begin(), code.end());
}

int Emitter::level_of(Slot slot) const {
  return slot < 0 ? kept_levels_[static_cast<std::size_t>(-slot - 1)]
                  : static_cast<int>(levels_.size());
}

Slot Emitter::emit_pure(Instruction in, std::initializer_list<Slot> operands) {
  int level = 0;
  for (const Slot operand : operands) level = std::max(level, level_of(operand));
  if (static_cast<std::size_t>(level) == levels_.size()) {
    in.dst = temporary(in.lanes);
    emit(in);
    return in.dst;
  }
  Level& home = levels_[static_cast<std::size_t>(level)];
  const auto [found, is_new] =
      home.known.try_emplace({in.run, in.a, in.b, in.c, in.lanes, in.value, in.limit}, 0);
  if (is_new) {
    in.dst = found->second = keep_at(static_cast<std::size_t>(level), in.lanes, {.i = 0});
    in.statement = statement_;
    home.hoisted.push_back(in);
  }
  return found->second;
}

std::vector<Instruction> Emitter::close_level(std::vector<Instruction> body) {
  std::vector<Instruction> code = std::move(levels_.back().hoisted);
  levels_.pop_back();
  code.insert(code.end(), body.begin(), body.end());
  return code;
}

void Emitter::finish(Code& code) {
  code.instructions = close_level(std::move(out_));
  for (Instruction& in : code.instructions) {
    for (Slot* slot : {&in.dst, &in.a, &in.b, &in.c}) *slot = final_slot(*slot);
  }
  for (auto& [statement, slot] : code.loops) slot = final_slot(slot);
  code.slots.assign(static_cast<std::size_t>(max_temporaries_), Number{.i = 0});
  code.slots.insert(code.slots.end(), kept_.begin(), kept_.end());
}

}  // namespace hone::ir::bytecode
