#include "feature/sections.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/parallel.h"
#include "feature/section_rows.h"

namespace hone::feature {
namespace {

constexpr std::size_t kBlock = 4096;  // programs whose rows are held at once

// Counts by reason, in the order in which they are met first.
void count(std::vector<LeftOut>& all, std::size_t number, const Refusal& refusal) {
  auto found = std::ranges::find(all, refusal.reason, &LeftOut::reason);
  if (found == all.end())
    found = all.insert(all.end(), {std::string(refusal.reason), 0, number, refusal.details});
  ++found->count;
}

}  // namespace

Section make_section(std::string_view name, const SectionInput& input, int threads,
                     const TakeRows& take) {
  const SectionRows rows = section_rows(name, input);
  const auto width = static_cast<std::size_t>(rows.width);
  const std::size_t n = rows.is_of_tasks ? input.tasks.size() : input.task_of.size();
  Section section;
  section.info = fmt::format("{} {} {}", rows.version, width, rows.is_of_tasks ? "task" : "program");
  if (rows.full_rows > 0) section.info += fmt::format(" {}", rows.full_rows);
  section.offsets.reserve(n + 1);
  section.offsets.push_back(0);
  for (std::size_t begin = 0; begin < n; begin += kBlock) {
    std::vector<Made> made(std::min(kBlock, n - begin));
    parallel_for(made.size(), threads, [&](std::size_t i) { made[i] = rows.make(begin + i); });
    std::vector<float> values;
    for (std::size_t i = 0; i < made.size(); ++i) {
      const Made& one = made[i];
      if (one.refusal) count(section.left_out, begin + i, *one.refusal);
      check(one.values.size() % width == 0, "rows are whole");
      section.offsets.push_back(section.offsets.back() + one.values.size() / width);
      values.insert(values.end(), one.values.begin(), one.values.end());
    }
    take(values);
  }
  section.vocabulary = rows.vocabulary;
  return section;
}

}  // namespace hone::feature
