// What a task's text leaves out and its schedules depend on, as further lines that begin with '#':
//   # op conv2d shape 1 56 56 64 reduce rc 64 rh 3 rw 3
//   # layout_free 4 3
// One `op` line an op, in the order of the text; `layout_free` has the op, by its number, that may have
// a placeholder, by its number, in another layout.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "task/text.h"

namespace hone::task {

struct FactLines {
  std::vector<OpFacts> ops;
  std::vector<std::pair<std::size_t, std::size_t>> layout_free;  // op, placeholder
};

std::string print_facts(const Task& task);
bool is_fact_line(std::string_view line);
// Adds what such a line says. Throws UserError when that makes no sense.
void read_fact_line(std::string_view line, FactLines& facts);
// To a task whose ops stand in the order of its text. Throws UserError when there are no such ops.
void apply_hints(const FactLines& facts, Task& task);

}  // namespace hone::task
