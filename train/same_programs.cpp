#include "train/same_programs.h"

#include <string_view>
#include <unordered_map>

namespace hone::train {

std::vector<Program> first_of_same(const DataSet& set) {
  std::vector<Program> first(set.n_programs());
  std::unordered_map<std::string, Program> known;  // only asked, never walked through
  for (const Part& part : set.parts) {
    const record::hds::Strings steps = part.file.strings("program.steps");
    for (std::size_t i = 0; i < part.n_programs; ++i) {
      const auto program = static_cast<Program>(part.first_program + i);
      std::string name = set.tasks[set.task_of[program]].key;
      name += '\0';
      name += steps[i];
      first[program] = known.try_emplace(std::move(name), program).first->second;
    }
  }
  return first;
}

}  // namespace hone::train
