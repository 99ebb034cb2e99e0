#include "record/dataset_part.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/json.h"
#include "record/hds/program_code.h"

namespace hone::record {
namespace {

// ["v0.6", [hardware], target host, layout option, [inputs]]
std::string frame_of(const Record& record) {
  std::string text =
      fmt::format("[\"v0.{}\", [{}], ", record.version, fmt::join(record.hardware, ", "));
  append_json_string(text, record.target_host);
  text += fmt::format(", {}, ", record.layout_option);
  append_json_list(text, record.inputs, append_json_string);
  return text + "]";
}

// ["0.2", tvm version]
std::string frame_of(const KnobRecord& record) {
  std::string text = "[\"0.2\", ";
  append_json_string(text, record.tvm_version);
  return text + "]";
}

// Stricter than needed where hardware does not count: then the number of the task is looked up.
bool has_same_task(const Record& a, const Record& b) {
  return a.workload_key == b.workload_key && a.target == b.target && a.hardware == b.hardware;
}
bool has_same_frame(const Record& a, const Record& b) {
  return a.version == b.version && a.hardware == b.hardware && a.target_host == b.target_host &&
         a.layout_option == b.layout_option && a.inputs == b.inputs;
}

// Neither failed nor timed; programs that are only to be measured say 0 seconds.
bool has_no_time(int error, const std::vector<double>& costs) {
  return error == 0 && (costs.empty() || *std::ranges::min_element(costs) <= 0);
}

// Whether a double holds it exactly.
bool is_exact(std::int64_t number) { return number >> 53 == 0; }

}  // namespace

std::string to_text(const TaskIdentity& task) {
  return fmt::format("{}\n{}\n{}\n{}\n{}", static_cast<int>(task.kind), task.key, task.target,
                     task.hardware, task.machine);
}

std::uint32_t DatasetPart::task_id(TaskIdentity&& identity) {
  const auto [at, is_new] =
      task_ids_.try_emplace(to_text(identity), static_cast<std::uint32_t>(tasks.size()));
  if (is_new) tasks.push_back(std::move(identity));
  return at->second;
}

std::uint32_t DatasetPart::frame_id(std::string&& text) {
  const auto [at, is_new] = frame_ids_.try_emplace(text, static_cast<std::uint32_t>(frames.size()));
  if (is_new) frames.push_back(std::move(text));
  return at->second;
}

std::string_view DatasetPart::code(std::size_t i) const {
  const std::uint64_t begin = i == 0 ? 0 : code_ends[i - 1];
  return std::string_view(codes).substr(begin, code_ends[i] - begin);
}

void DatasetPart::add_row(std::uint32_t task_number, std::uint32_t frame_number,
                          std::int64_t line_number, int error, const std::vector<double>& costs,
                          double seconds, double time) {
  task.push_back(task_number);
  frame.push_back(frame_number);
  source.push_back(source_id);
  line.push_back(static_cast<std::uint32_t>(line_number));
  status.push_back(has_no_time(error, costs) ? kUnknownFailure : static_cast<std::uint8_t>(error));
  all_cost.push_back(seconds);
  timestamp.push_back(time);
  times.insert(times.end(), costs.begin(), costs.end());
  time_ends.push_back(times.size());
  code_ends.push_back(codes.size());
}

void DatasetPart::add(const Record& record, std::int64_t number) {
  const bool has_last = size() > 0 && tasks[task.back()].kind == ProgramKind::Steps;
  const bool is_same_task = has_last && has_same_task(record, last_);
  const bool is_same_frame = has_last && has_same_frame(record, last_);
  const std::uint32_t task_number =
      is_same_task
          ? task.back()
          : task_id({ProgramKind::Steps, record.workload_key, record.target,
                     ignores_hardware ? "" : fmt::format("{}", fmt::join(record.hardware, " ")),
                     machine});
  const std::uint32_t frame_number = is_same_frame ? frame.back() : frame_id(frame_of(record));
  if (!is_same_task || !is_same_frame) {
    last_ = record;
    last_.steps.clear();
  }
  const bool keeps_line = !is_exact(record.timestamp) || has_no_time(record.error, record.costs);
  if (keeps_line || !record.spelling.empty()) {
    spelled.push_back(size());
    spellings.push_back(to_line(record));
  }
  hds::append_code(codes, record.steps);
  add_row(task_number, frame_number, number, record.error, record.costs, record.all_cost,
          static_cast<double>(record.timestamp));
}

void DatasetPart::add(const KnobRecord& record, std::int64_t number) {
  const std::uint32_t task_number =
      task_id({ProgramKind::Knobs, record.workload_key, record.target, "", machine});
  const std::uint32_t frame_number = frame_id(frame_of(record));
  if (!record.spelling.empty() || has_no_time(record.error, record.costs)) {
    spelled.push_back(size());
    spellings.push_back(to_line(record));
  }
  hds::append_code(codes, hds::KnobProgram{record.index, record.code_hash, record.knobs});
  add_row(task_number, frame_number, number, record.error, record.costs, record.all_cost,
          record.timestamp);
}

}  // namespace hone::record
