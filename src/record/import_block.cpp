#include "record/import_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "base/error.h"
#include "record/autotvm.h"
#include "record/record.h"

namespace hone::record {
namespace {

// Whether it was measured without an error.
bool add_line(std::string_view text, std::int64_t number, DatasetPart& part) {
  if (is_autotvm(text)) {
    part.add(knobs_from_line(text), number);
  } else {
    part.add(from_line(text), number);
  }
  return part.status.back() == 0;
}

// TenSet calls the file of a task by its key and the kind of its target, without spaces and quotes.
std::string tenset_name(const TaskIdentity& task) {
  std::string name =
      fmt::format("({},{}).json", task.key, task.target.substr(0, task.target.find(' ')));
  std::erase_if(name, [](char c) { return c == ' ' || c == '"' || c == '\''; });
  return name;
}

void find_misaligned(const LogBlock& block, ParsedBlock& parsed) {
  if (!block.file_name.starts_with("([")) return;  // no name of TenSet's
  const DatasetPart& part = parsed.part;
  std::vector<bool> is_other;
  for (const TaskIdentity& task : part.tasks) is_other.push_back(tenset_name(task) != block.file_name);
  for (std::size_t i = 0; i < part.size(); ++i) {
    if (!is_other[part.task[i]]) continue;
    ++parsed.misaligned;
    parsed.problems.push_back(
        {block.source, part.line[i], "the record is of another task than its file is named after"});
  }
}

}  // namespace

ParsedBlock parse_block(const LogBlock& block) {
  ParsedBlock parsed{.part = DatasetPart(block.machine, block.source_id, block.is_one_machine),
                     .problems = {},
                     .computations = {}};
  std::int64_t number = block.first_line;
  for (std::size_t begin = 0; begin < block.text.size(); ++number) {
    const std::size_t end = block.text.find('\n', begin);
    const std::string_view line(block.text.data() + begin, end - begin);
    begin = end + 1;
    ++parsed.lines;
    if (is_comment(line)) {
      ++parsed.comments;
      if (std::optional<Computation> told = computation_from_line(line))
        parsed.computations.push_back(std::move(*told));
      continue;
    }
    try {
      parsed.valid += add_line(line, number, parsed.part);
    } catch (const UserError& error) {
      const bool is_torn = block.is_torn && begin == block.text.size();
      ++parsed.corrupt;
      parsed.problems.push_back(
          {block.source, number,
           fmt::format("{}{}", is_torn ? "the last line is torn (no newline): " : "", error.what())});
    }
  }
  find_misaligned(block, parsed);
  std::ranges::sort(parsed.problems, {}, [](const ImportProblem& problem) {
    return std::tie(problem.line, problem.reason);
  });
  if (!block.damage.empty()) {
    ++parsed.corrupt;
    parsed.problems.push_back({block.source, block.text.empty() ? 0 : number, block.damage});
  }
  return parsed;
}

}  // namespace hone::record
