#include "tune/warm_start.h"

#include <algorithm>

#include "tune/make_proposer.h"
#include "tune/tune.h"

namespace hone::tune {

std::vector<schedule::Steps> warm_starts(const std::shared_ptr<const task::Task>& task,
                                         const target::Target& target, SpaceKind kind,
                                         const record::Store& store, int limit) {
  const std::string machine = target::to_string(target);
  std::vector<record::Record> found = store.best(*task, machine, compiler_name(), limit);
  // Not all of them may fit.
  for (record::Record& record : store.similar(*task, machine, compiler_name(), 2 * limit))
    found.push_back(std::move(record));
  if (found.empty()) return {};
  const space::Space space = make_space(task, target, kind);
  std::vector<schedule::Steps> starts;
  for (const record::Record& record : found) {
    if (static_cast<int>(starts.size()) == limit) break;
    const std::optional<space::Decisions> fitted = space.fit(record.steps);
    if (!fitted) continue;
    schedule::Steps steps = *space.decode(*fitted);
    if (std::ranges::find(starts, steps) == starts.end()) starts.push_back(std::move(steps));
  }
  return starts;
}

}  // namespace hone::tune
