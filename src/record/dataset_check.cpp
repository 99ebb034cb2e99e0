#include "record/dataset_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "record/dataset_stats.h"

namespace hone::record {
namespace {

// The program as its log named it.
std::string place_of(const Dataset& set, std::size_t program) {
  return fmt::format("{}:{}", set.sources[set.source[program]], set.line_number[program]);
}

void check_columns(const Dataset& set, std::size_t program) {
  const auto times = set.times(program);
  const bool has_best = !std::isnan(set.best[program]);
  if (has_best != (set.status[program] == 0) || set.status[program] > kUnknownFailure)
    throw UserError("its status and its time contradict each other");
  if (has_best &&
      (times.empty() || set.best[program] != static_cast<float>(*std::ranges::min_element(times))))
    throw UserError("its best time is not the smallest of its repeats");
}

void check_offsets(const Dataset& set, const std::string& name, const OnFault& fault) {
  const auto offsets = set.file.array<std::uint64_t>(name + ".offsets");
  if (offsets.empty() || !std::ranges::is_sorted(offsets))
    fault(fmt::format("section `{}.offsets` does not ascend", name));
}

}  // namespace

std::int64_t check_dataset(const Dataset& set, const OnFault& on_fault) {
  std::int64_t faults = 0;
  const OnFault fault = [&](const std::string& reason) {
    ++faults;
    on_fault(reason);
  };
  for (const hds::Section& section : set.file.sections()) {
    try {
      set.file.verify(section);
    } catch (const UserError& error) {
      fault(error.what());
    }
    const std::string name = section.name;
    constexpr std::string_view kOffsets = ".offsets";
    if (name.ends_with(kOffsets))
      check_offsets(set, name.substr(0, name.size() - kOffsets.size()), fault);
  }
  for (std::size_t program = 0; program < set.n_programs(); ++program) {
    try {
      check_columns(set, program);
      set.line(program);
    } catch (const UserError& error) {
      fault(fmt::format("program {}: {}", program, error.what()));
    }
  }
  return faults;
}

Alignment align_datasets(const Dataset& a, const Dataset& b, const OnFault& on_fault) {
  const auto by_key = [](const Dataset& set) {
    const auto programs = programs_by_task(set);
    std::map<std::string_view, std::vector<std::uint32_t>> all;
    for (std::size_t task = 0; task < set.n_tasks(); ++task) {
      auto& of_key = all[set.key[task]];
      of_key.insert(of_key.end(), programs[task].begin(), programs[task].end());
    }
    return all;
  };
  const auto first = by_key(a), second = by_key(b);
  Alignment alignment;
  for (const auto& [key, ours] : first) {
    const auto at = second.find(key);
    if (at == second.end()) continue;
    const std::vector<std::uint32_t>& theirs = at->second;
    const std::size_t common = std::min(ours.size(), theirs.size());
    ++alignment.workloads;
    alignment.missing += static_cast<std::int64_t>(std::max(ours.size(), theirs.size()) - common);
    for (std::size_t i = 0; i < common; ++i) {
      if (a.code(ours[i]) == b.code(theirs[i])) {
        ++alignment.aligned;
      } else {
        ++alignment.misaligned;
        on_fault(fmt::format("{} and {} are different programs", place_of(a, ours[i]),
                             place_of(b, theirs[i])));
      }
    }
  }
  return alignment;
}

}  // namespace hone::record
