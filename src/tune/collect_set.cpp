// From the log of a collection to the data set.
#include <map>

#include "record/dataset_part.h"
#include "record/dataset_writer.h"
#include "record/reader.h"
#include "task/analysis.h"
#include "task/text.h"
#include "tune/collect.h"

namespace hone::tune {

void Collection::write_set(const std::string& path, const record::Machine& machine) const {
  record::DatasetWriter writer(path);
  writer.add_machine(machine);
  record::DatasetPart part(machine.name, writer.add_source(kRecordsFile));
  record::read_records(
      folder_.file(kRecordsFile),
      [&](record::Record&& record, std::int64_t line) { part.add(record, line); },
      [](const record::Problem&) {});  // told of when the folder was opened
  writer.append(part);
  std::map<std::string, const CollectTask*> by_key;
  for (const Job& job : jobs_) by_key[job.key] = &job.task;
  for (record::DatasetTask& task : writer.tasks()) {
    const auto known = by_key.find(task.identity.key);
    if (known == by_key.end()) continue;  // of an earlier session with other tasks
    task.facts.structure = record::structure_of(task.identity.key);
    task.facts.dag = task::print_whole(*known->second->task);
    task.facts.flops = task::flop_count(*known->second->task);
    task.facts.networks = known->second->networks;
  }
  writer.finish();
}

}  // namespace hone::tune
