// `hone dataset align`: sets of several machines with the programs that all of them measured.
#include "record/dataset_align.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/error.h"
#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"

namespace hone::cli {

int dataset_align(const Dataset& options) {
  namespace fs = std::filesystem;
  if (options.inputs.size() < 2)
    throw UserError("one set has nothing to be aligned with", "give those of other machines, too");
  std::vector<std::string> outputs;
  for (const std::string& set : options.inputs) {
    outputs.push_back((fs::path(options.output) / fs::path(set).filename()).string());
    check_new(outputs.back());
  }
  if (std::set(outputs.begin(), outputs.end()).size() < outputs.size())
    throw UserError("two sets have the same file name", "files of one folder need names of their own");
  std::error_code ignored;  // whoever writes there says what is wrong
  fs::create_directories(options.output, ignored);
  const record::AlignSummary summary = record::align_sets(options.inputs, outputs);
  nlohmann::ordered_json report = {{"schema", "hone.dataset_align/1"},
                                   {"programs", summary.programs},
                                   {"tasks", summary.tasks},
                                   {"sets", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    report["sets"].push_back({{"file", outputs[i]}, {"left_out", summary.left_out[i]}});
    if (!options.json)
      fmt::print("wrote      {}, without {} programs of {}\n", outputs[i], summary.left_out[i],
                 options.inputs[i]);
  }
  if (options.json) {
    print_report(report);
  } else {
    fmt::print("programs   {} of {} tasks in each\n", summary.programs, summary.tasks);
  }
  return kDone;
}

}  // namespace hone::cli
