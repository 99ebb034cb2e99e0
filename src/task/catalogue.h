// The operators behind `--op NAME:key=value,...[+tail...]`.
//
// Element types (key `type`): sums of f16 and bf16 are held in f32 and the last op casts to the type;
// sums of 8- and 16-bit integers are held, and given back, in i32.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "task/task.h"

namespace hone::task {

// Throws UserError naming the wrong word and the nearest right one, whatever the text is.
Task from_op(std::string_view text);

struct KeyHelp {
  std::string name;
  std::string fallback;  // a value or, of a number, the key whose value it takes; empty: must be given
  std::string meaning;
  std::vector<std::string> words;  // the values it takes; empty: numbers
};
struct OperatorHelp {
  std::string name, meaning;
  std::vector<KeyHelp> keys;
  std::string example;
  bool takes_tails;
};
std::vector<OperatorHelp> catalogue();
std::vector<std::string> tails();

}  // namespace hone::task
