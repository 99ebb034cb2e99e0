#include "task/text_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/error.h"

namespace hone::task {
namespace {

constexpr std::string_view kOp = "# op ", kLayoutFree = "# layout_free ";

[[noreturn]] void refuse(std::string_view line) {
  throw UserError(fmt::format("`{}` says nothing of a task", line),
                  "lines that begin with # are written by hone; leave them as they are, or out");
}

}  // namespace

std::string print_facts(const Task& task) {
  std::string text;
  for (const OpFacts& facts : context_of(task).ops) {
    text += fmt::format("{}{} shape {}", kOp, facts.name, fmt::join(facts.shape, " "));
    if (!facts.reduce.empty()) text += " reduce";
    for (const auto& [axis, extent] : facts.reduce) text += fmt::format(" {} {}", axis, extent);
    text += '\n';
  }
  for (std::size_t i = 0; i < task.ops.size(); ++i) {
    for (const std::string& name : task.ops[i].hints.layout_free) {
      const auto placeholder = std::ranges::find(task.ops, name, &Op::name);
      check(placeholder != task.ops.end(), "a layout-free placeholder is an op of the task");
      text += fmt::format("{}{} {}\n", kLayoutFree, i, placeholder - task.ops.begin());
    }
  }
  return text;
}

bool is_fact_line(std::string_view line) { return line.starts_with('#'); }

void read_fact_line(std::string_view line, FactLines& facts) {
  std::istringstream words{std::string(line)};
  std::string mark, kind;
  words >> mark >> kind;
  if (line.starts_with(kLayoutFree)) {
    std::pair<std::size_t, std::size_t> hint;
    if (!(words >> hint.first >> hint.second)) refuse(line);
    facts.layout_free.push_back(hint);
    return;
  }
  OpFacts op;
  std::string word;
  if (!line.starts_with(kOp) || !(words >> op.name >> word) || word != "shape") refuse(line);
  std::int64_t extent = 0;
  while (words >> extent) op.shape.push_back(extent);
  words.clear();
  if (words >> word && word != "reduce") refuse(line);
  while (words >> word >> extent) op.reduce.emplace_back(word, extent);
  facts.ops.push_back(std::move(op));
}

void apply_hints(const FactLines& facts, Task& task) {
  for (const auto& [op, placeholder] : facts.layout_free) {
    if (std::max(op, placeholder) >= task.ops.size() || !task.ops[placeholder].is_placeholder())
      throw UserError(fmt::format("there is no op {} that reads a placeholder {}", op, placeholder));
    task.ops[op].hints.layout_free.push_back(task.ops[placeholder].name());
  }
}

}  // namespace hone::task
