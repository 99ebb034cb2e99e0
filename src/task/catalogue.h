// The operators behind `--op NAME:key=value,...[+tail...]`.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "task/task.h"

namespace hone::task {

// Throws UserError naming the wrong word and the nearest right one.
Task from_op(std::string_view text);

struct OperatorHelp {
  std::string name, keys, example;
};
std::vector<OperatorHelp> catalogue();
std::vector<std::string> tails();

}  // namespace hone::task
