#include "record/dataset_writer.h"

#include <algorithm>
#include <limits>
#include <set>

#include "base/error.h"
#include "base/json.h"
#include "target/descriptor.h"

namespace hone::record {
namespace {

// The number of a text, a new one when it has none.
std::uint32_t number_of(const std::string& text, std::vector<std::string>& texts,
                        std::unordered_map<std::string, std::uint32_t>& ids) {
  const auto [at, is_new] = ids.try_emplace(text, static_cast<std::uint32_t>(texts.size()));
  if (is_new) texts.push_back(text);
  return at->second;
}

template <class T>
void append_all(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void append_offsets(std::vector<std::uint64_t>& offsets, const std::vector<std::uint64_t>& ends) {
  const std::uint64_t begin = offsets.back();
  for (const std::uint64_t end : ends) offsets.push_back(begin + end);
}

template <class Get>
void write_strings(hds::Writer& file, const char* name, const std::vector<DatasetTask>& tasks,
                   Get get) {
  std::vector<std::string> texts;
  for (const DatasetTask& task : tasks) texts.push_back(get(task));
  file.strings(name, texts);
}

}  // namespace

std::string structure_of(std::string_view key) {
  try {
    JsonCursor json(key);
    json.expect('[');
    return json.string("first element");
  } catch (const UserError&) {  // a bare digest
    return std::string(key);
  }
}

DatasetWriter::DatasetWriter(const std::string& path) : file_(path) {
  file_.begin("program.steps.bytes");
}

std::uint32_t DatasetWriter::add_source(const std::string& name) {
  return number_of(name, sources_, source_ids_);
}

void DatasetWriter::add_machine(const Machine& machine) {
  const auto at = std::ranges::find(machines_, machine.name, &Machine::name);
  if (at == machines_.end()) {
    machines_.push_back(machine);
  } else if (!target::agree(target::parse_descriptor(at->descriptor),
                            target::parse_descriptor(machine.descriptor))) {
    throw UserError("two machines called `" + machine.name + "` are described differently",
                    "give them two names when importing");
  }
}

std::uint32_t DatasetWriter::task_id(const TaskIdentity& task) {
  const auto [at, is_new] =
      task_ids_.try_emplace(to_text(task), static_cast<std::uint32_t>(tasks_.size()));
  if (is_new)
    tasks_.push_back({task, {.structure = structure_of(task.key), .dag = {}, .networks = {}}});
  return at->second;
}

void DatasetWriter::add_task(const TaskIdentity& task, const TaskFacts& facts) {
  TaskFacts& known = tasks_[task_id(task)].facts;
  if (known.dag.empty()) known.dag = facts.dag;
  if (known.flops == 0) known.flops = facts.flops;
  if (known.networks.empty()) known.networks = facts.networks;
}

void DatasetWriter::append(const DatasetPart& part) {
  std::vector<std::uint32_t> task_ids, frame_ids;
  for (const TaskIdentity& task : part.tasks) task_ids.push_back(task_id(task));
  for (const std::string& frame : part.frames)
    frame_ids.push_back(number_of(frame, frames_, frame_ids_));
  for (const std::uint64_t program : part.spelled) spelled_.push_back(n_programs() + program);
  append_all(spellings_, part.spellings);
  for (std::size_t i = 0; i < part.size(); ++i) {
    task_.push_back(task_ids[part.task[i]]);
    frame_.push_back(frame_ids[part.frame[i]]);
    const auto begin =
        part.times.begin() + static_cast<std::ptrdiff_t>(i == 0 ? 0 : part.time_ends[i - 1]);
    const auto end = part.times.begin() + static_cast<std::ptrdiff_t>(part.time_ends[i]);
    best_.push_back(part.status[i] == 0 ? static_cast<float>(*std::min_element(begin, end))
                                        : std::numeric_limits<float>::quiet_NaN());
  }
  append_all(source_, part.source);
  append_all(line_, part.line);
  append_all(status_, part.status);
  append_all(all_cost_, part.all_cost);
  append_all(timestamp_, part.timestamp);
  append_all(times_, part.times);
  append_offsets(code_offsets_, part.code_ends);
  append_offsets(time_offsets_, part.time_ends);
  file_.append(std::as_bytes(std::span(part.codes)));
}

void DatasetWriter::write_tasks() {
  const auto strings = [&](const char* name, auto get) { write_strings(file_, name, tasks_, get); };
  strings("task.key", [](const DatasetTask& task) { return task.identity.key; });
  strings("task.target", [](const DatasetTask& task) { return task.identity.target; });
  strings("task.hardware", [](const DatasetTask& task) { return task.identity.hardware; });
  strings("task.machine", [](const DatasetTask& task) { return task.identity.machine; });
  strings("task.structure", [](const DatasetTask& task) { return task.facts.structure; });
  strings("task.dag", [](const DatasetTask& task) { return task.facts.dag; });
  strings("task.networks", [](const DatasetTask& task) { return task.facts.networks; });
  std::vector<double> flops;
  std::vector<ProgramKind> kinds;
  for (const DatasetTask& task : tasks_) {
    flops.push_back(task.facts.flops);
    kinds.push_back(task.identity.kind);
  }
  file_.array("task.flops", flops);
  file_.array("task.kind", kinds);
}

void DatasetWriter::write_machines() {
  std::set<std::string> used;
  for (const DatasetTask& task : tasks_) used.insert(task.identity.machine);
  used.erase("");
  std::vector<std::string> names, descriptors;
  for (const std::string& name : used) {
    const auto own = std::ranges::find(machines_, name, &Machine::name);
    names.push_back(name);
    descriptors.push_back(own != machines_.end() ? own->descriptor : machine_from(name).descriptor);
  }
  file_.strings("machine.name", names);
  file_.strings("machine.descriptor", descriptors);
}

void DatasetWriter::finish() {
  file_.end();  // the programs' steps
  file_.array("program.steps.offsets", code_offsets_);
  file_.array("program.times.values", times_);
  file_.array("program.times.offsets", time_offsets_);
  file_.array("program.task", task_);
  file_.array("program.status", status_);
  file_.array("program.best", best_);
  file_.array("program.frame", frame_);
  file_.array("program.source", source_);
  file_.array("program.line", line_);
  file_.array("program.all_cost", all_cost_);
  file_.array("program.timestamp", timestamp_);
  file_.array("spelling.program", spelled_);
  file_.strings("spelling.line", spellings_);
  file_.strings("frame.text", frames_);
  file_.strings("source.name", sources_);
  write_tasks();
  write_machines();
  file_.finish();
}

}  // namespace hone::record
