// `hone dataset check`: whether sets are whole, and of two whether their programs are aligned.
#include "record/dataset_check.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"

namespace hone::cli {
namespace {

nlohmann::ordered_json to_json(const record::Dataset& set, std::int64_t faults) {
  nlohmann::ordered_json sections = nlohmann::ordered_json::array();
  for (const record::hds::Section& section : set.file.sections())
    sections.push_back({{"name", section.name}, {"bytes", section.bytes}});
  return {{"file", set.file.path()},
          {"version", record::hds::kVersion},
          {"hash", fmt::format("{:016x}", set.file.content_hash())},
          {"programs", set.n_programs()},
          {"tasks", set.n_tasks()},
          {"faults", faults},
          {"sections", sections}};
}

void print_text(const record::Dataset& set, std::int64_t faults) {
  fmt::print("set        {}: {} programs of {} tasks, {} faults\n", set.file.path(), set.n_programs(),
             set.n_tasks(), faults);
  fmt::print("hash       {:016x}, version {}\n", set.file.content_hash(), record::hds::kVersion);
  for (const record::hds::Section& section : set.file.sections())
    fmt::print("section    {:<28} {:>12} bytes\n", section.name, section.bytes);
}

}  // namespace

int dataset_check(const Dataset& options) {
  std::vector<record::Dataset> sets;
  std::vector<std::int64_t> faults;
  std::optional<record::Alignment> alignment;
  {
    Complaints complaints(options.verbose);
    const auto complain = [&](const std::string& reason) { complaints.add(reason); };
    for (const std::string& path : options.inputs) {
      sets.push_back(record::Dataset::open(path));
      faults.push_back(record::check_dataset(sets.back(), complain));
    }
    if (sets.size() == 2) alignment = record::align_datasets(sets[0], sets[1], complain);
  }
  nlohmann::ordered_json report = {{"schema", "hone.dataset_check/1"},
                                   {"sets", nlohmann::ordered_json::array()}};
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    wrong += faults[i];
    if (options.json) {
      report["sets"].push_back(to_json(sets[i], faults[i]));
    } else {
      print_text(sets[i], faults[i]);
    }
  }
  if (alignment) {
    wrong += alignment->misaligned;
    report["alignment"] = {{"workloads", alignment->workloads},
                           {"aligned", alignment->aligned},
                           {"misaligned", alignment->misaligned},
                           {"missing", alignment->missing}};
    if (!options.json)
      fmt::print("aligned    {} programs of {} workloads, {} misaligned, {} in one set only\n",
                 alignment->aligned, alignment->workloads, alignment->misaligned, alignment->missing);
  }
  if (options.json) print_report(report);
  return wrong == 0 ? kDone : kAnswerIsNo;
}

}  // namespace hone::cli
