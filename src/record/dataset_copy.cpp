#include "record/dataset_copy.h"

namespace hone::record {
namespace {

constexpr std::size_t kPartPrograms = 65536;

}  // namespace

DatasetCopy::DatasetCopy(const Dataset& from, DatasetWriter& to)
    : from_(from), to_(to), task_ids_(from.n_tasks()) {
  for (std::size_t i = 0; i < from.sources.size(); ++i)
    sources_.push_back(to.add_source(std::string(from.sources[i])));
  for (std::size_t i = 0; i < from.machines.size(); ++i)
    to.add_machine({std::string(from.machines[i]), std::string(from.descriptors[i])});
  for (std::size_t i = 0; i < from.frames.size(); ++i) part_.frames.emplace_back(from.frames[i]);
}

std::uint32_t DatasetCopy::task_id(std::uint32_t task) {
  std::optional<std::uint32_t>& id = task_ids_[task];
  if (!id) {
    id = static_cast<std::uint32_t>(part_.tasks.size());
    part_.tasks.push_back(from_.identity(task));
    to_.add_task(part_.tasks.back(), {.structure = std::string(from_.structure[task]),
                                      .dag = std::string(from_.dag[task]),
                                      .flops = from_.flops[task],
                                      .networks = std::string(from_.networks[task])});
  }
  return *id;
}

void DatasetCopy::add(std::size_t program) {
  from_.check_program(program);
  if (const std::string_view spelling = from_.spelling(program); !spelling.empty()) {
    part_.spelled.push_back(part_.size());
    part_.spellings.emplace_back(spelling);
  }
  part_.task.push_back(task_id(from_.task[program]));
  part_.frame.push_back(from_.frame[program]);
  part_.source.push_back(sources_[from_.source[program]]);
  part_.line.push_back(from_.line_number[program]);
  part_.status.push_back(from_.status[program]);
  part_.all_cost.push_back(from_.all_cost[program]);
  part_.timestamp.push_back(from_.timestamp[program]);
  part_.codes += from_.code(program);
  part_.code_ends.push_back(part_.codes.size());
  const auto times = from_.times(program);
  part_.times.insert(part_.times.end(), times.begin(), times.end());
  part_.time_ends.push_back(part_.times.size());
  if (part_.size() == kPartPrograms) finish();
}

void DatasetCopy::finish() {
  to_.append(part_);
  DatasetPart next;
  next.frames = std::move(part_.frames);
  part_ = std::move(next);
  task_ids_.assign(task_ids_.size(), std::nullopt);
}

}  // namespace hone::record
