#include "record/dataset_align.h"

#include <unordered_map>

#include "base/error.h"
#include "record/dataset.h"
#include "record/dataset_copy.h"
#include "record/dataset_writer.h"

namespace hone::record {
namespace {

// Workload and steps of a program, as bytes.
std::string identity_of(const Dataset& set, std::size_t program) {
  set.check_program(program);
  std::string bytes(set.key[set.task[program]]);
  bytes += '\0';
  return bytes += set.code(program);
}

using Places = std::unordered_map<std::string, std::size_t>;  // of programs in their set

Places places_of(const Dataset& set) {
  Places places;
  for (std::size_t program = 0; program < set.n_programs(); ++program)
    places.try_emplace(identity_of(set, program), program);
  return places;
}

}  // namespace

AlignSummary align_sets(const std::vector<std::string>& sets, const std::vector<std::string>& outputs) {
  check(sets.size() == outputs.size(), "every set has an output");
  std::vector<Dataset> opened;
  std::vector<Places> places;
  for (const std::string& path : sets) {
    opened.push_back(Dataset::open(path));
    places.push_back(places_of(opened.back()));
  }
  // In the order of the first set, where each of the common programs is in every set.
  std::vector<std::vector<std::size_t>> common(sets.size());
  for (std::size_t program = 0; program < opened[0].n_programs(); ++program) {
    const std::string identity = identity_of(opened[0], program);
    std::vector<std::size_t> found;
    for (const Places& of_set : places) {
      const auto at = of_set.find(identity);
      if (at != of_set.end()) found.push_back(at->second);
    }
    if (found.size() < sets.size() || found[0] != program) continue;
    for (std::size_t i = 0; i < sets.size(); ++i) common[i].push_back(found[i]);
  }
  if (common[0].empty())
    throw UserError("no program is in all of the sets",
                    "measure those of one set on the other machine: `hone collect --programs SET`");
  AlignSummary summary;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    DatasetWriter writer(outputs[i]);
    DatasetCopy copy(opened[i], writer);
    for (const std::size_t program : common[i]) copy.add(program);
    copy.finish();
    writer.finish();
    summary.programs = static_cast<std::int64_t>(writer.n_programs());
    summary.tasks = static_cast<std::int64_t>(writer.tasks().size());
    summary.left_out.push_back(static_cast<std::int64_t>(opened[i].n_programs()) - summary.programs);
  }
  return summary;
}

}  // namespace hone::record
