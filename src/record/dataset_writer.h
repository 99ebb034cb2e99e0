// Writes a data set from parts, in the order in which they come.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "record/dataset_part.h"
#include "record/hds/writer.h"
#include "record/machines.h"

namespace hone::record {

// What a set says of a task besides what names it.
struct TaskFacts {
  std::string
      structure;     // which computation, sizes apart: the digest or the name that its key begins with
  std::string dag;   // printed; empty: not known
  double flops = 0;  // 0: not known
  std::string networks;  // NAME:WEIGHT;NAME:WEIGHT
};

struct DatasetTask {
  TaskIdentity identity;
  TaskFacts facts;
};

// Programs go to the disk as they come, the rest with `finish`. UserError when the disk does not take
// it.
class DatasetWriter {
 public:
  explicit DatasetWriter(const std::string& path);

  std::uint32_t add_source(const std::string& name);  // what a part's source_id means
  void add_machine(const Machine& machine);           // known names need not be added
  // What is known of a task; parts need not have had it yet. Of two answers the first stays.
  void add_task(const TaskIdentity& task, const TaskFacts& facts);
  void append(const DatasetPart& part);

  std::vector<DatasetTask>& tasks() { return tasks_; }  // to add facts to
  std::size_t n_programs() const { return task_.size(); }

  void finish();

 private:
  std::uint32_t task_id(const TaskIdentity& task);
  void write_tasks();
  void write_machines();

  hds::Writer file_;
  std::vector<DatasetTask> tasks_;
  std::vector<std::string> frames_, sources_;
  std::vector<Machine> machines_;
  std::unordered_map<std::string, std::uint32_t> task_ids_, frame_ids_, source_ids_;

  std::vector<std::uint32_t> task_, frame_, source_, line_;
  std::vector<std::uint8_t> status_;
  std::vector<float> best_;
  std::vector<double> all_cost_, timestamp_, times_;
  std::vector<std::uint64_t> code_offsets_ = {0}, time_offsets_ = {0}, spelled_;
  std::vector<std::string> spellings_;
};

// The digest or name that a workload key begins with; all of the key when it is no list.
std::string structure_of(std::string_view key);

}  // namespace hone::record
