// The text of a state line by line, for those who write something beside it.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "schedule/state.h"

namespace hone::schedule {

struct NestLine {
  enum class Kind : std::uint8_t { Inputs, Pragma, Loop, Store };
  Kind kind;
  std::string text;  // indented, without its newline
  int stage = -1;    // but of Inputs
  int iter = -1;     // of a Loop, within its stage
};
std::vector<NestLine> nest_lines(const State& state);

std::string_view loop_word(ir::LoopKind kind);  // for, unroll, vectorize, parallel, ...

}  // namespace hone::schedule
