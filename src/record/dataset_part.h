// Programs of a data set in memory, column by column: what is read on one thread and appended to a set
// whole.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "record/autotvm.h"
#include "record/record.h"

namespace hone::record {

enum class ProgramKind : std::uint8_t { Steps, Knobs };

// Which computation, where. Two tasks are the same when all of this is.
struct TaskIdentity {
  ProgramKind kind = ProgramKind::Steps;
  std::string key, target;
  std::string hardware;  // the numbers of its records, space-separated; empty when they have none or
                         // do not count
  std::string machine;   // empty: not known
  friend bool operator==(const TaskIdentity&, const TaskIdentity&) = default;
};
std::string to_text(const TaskIdentity& task);  // a different one for each task

constexpr std::uint8_t kUnknownFailure = 8;  // of a record without an error and without a time

struct DatasetPart {
  // With `is_one_machine` the hardware numbers of records do not tell tasks apart.
  explicit DatasetPart(std::string machine_name = {}, std::uint32_t source_number = 0,
                       bool is_one_machine = false)
      : machine(std::move(machine_name)), source_id(source_number), ignores_hardware(is_one_machine) {}

  // `number` is the line in the part's source.
  void add(const Record& record, std::int64_t number);
  void add(const KnobRecord& record, std::int64_t number);

  std::size_t size() const { return task.size(); }
  std::string_view code(std::size_t i) const;

  std::string machine;  // of all that is added
  std::uint32_t source_id;
  bool ignores_hardware;

  std::vector<TaskIdentity> tasks;
  std::vector<std::string> frames;  // JSON lists: what besides the task is the same for most lines

  // One entry a program.
  std::vector<std::uint32_t> task, frame, source, line;
  std::vector<std::uint8_t> status;
  std::vector<double> all_cost, timestamp;
  std::vector<std::uint64_t> code_ends, time_ends;
  std::string codes;
  std::vector<double> times;

  // Lines that their fields do not give back exactly.
  std::vector<std::uint64_t> spelled;
  std::vector<std::string> spellings;

 private:
  std::uint32_t task_id(TaskIdentity&& identity);
  std::uint32_t frame_id(std::string&& text);
  void add_row(std::uint32_t task_number, std::uint32_t frame_number, std::int64_t line_number,
               int error, const std::vector<double>& costs, double seconds, double time);

  std::unordered_map<std::string, std::uint32_t> task_ids_, frame_ids_;
  Record last_;  // its task and frame, because mostly the next line has the same
};

}  // namespace hone::record
