#include "record/dataset.h"

#include <algorithm>

#include "base/error.h"
#include "base/json.h"
#include "task/readable_key.h"
#include "task/text.h"

namespace hone::record {
namespace {

[[noreturn]] void fail_damaged(const std::string& path, const std::string& what) {
  throw UserError(path + " is damaged: " + what, "copy it again, or import the logs again");
}

// ["v0.6", [hardware], target host, layout option, [inputs]]
void read_frame(std::string_view text, Record& record) {
  JsonCursor json(text);
  json.expect('[');
  record.version = json.word("version").back() - '0';
  json.expect(',');
  constexpr std::int64_t kMost = 999'999'999'999'999'999;
  json.list([&] { record.hardware.push_back(json.integer(-kMost, kMost, "hardware")); });
  json.expect(',');
  record.target_host = json.string("target host");
  json.expect(',');
  record.layout_option = static_cast<int>(json.integer(0, 2, "layout option"));
  json.expect(',');
  json.list([&] { record.inputs.push_back(json.string("input")); });
  json.expect(']');
}

}  // namespace

Dataset Dataset::open(const std::string& path) {
  Dataset set;
  set.file = hds::File::open(path);
  set.read_columns();
  set.check_sizes();
  return set;
}

void Dataset::read_columns() {
  key = file.strings("task.key");
  target = file.strings("task.target");
  hardware = file.strings("task.hardware");
  machine = file.strings("task.machine");
  structure = file.strings("task.structure");
  dag = file.strings("task.dag");
  networks = file.strings("task.networks");
  flops = file.array<double>("task.flops");
  kind = file.array<ProgramKind>("task.kind");
  task = file.array<std::uint32_t>("program.task");
  frame = file.array<std::uint32_t>("program.frame");
  source = file.array<std::uint32_t>("program.source");
  line_number = file.array<std::uint32_t>("program.line");
  status = file.array<std::uint8_t>("program.status");
  best = file.array<float>("program.best");
  all_cost = file.array<double>("program.all_cost");
  timestamp = file.array<double>("program.timestamp");
  codes_ = file.strings("program.steps");
  time_offsets_ = file.array<std::uint64_t>("program.times.offsets");
  times_ = file.array<double>("program.times.values");
  spelled_ = file.array<std::uint64_t>("spelling.program");
  spellings_ = file.strings("spelling.line");
  frames = file.strings("frame.text");
  sources = file.strings("source.name");
  machines = file.strings("machine.name");
  descriptors = file.strings("machine.descriptor");
}

void Dataset::check_sizes() const {
  for (const std::size_t size : {key.size(), target.size(), hardware.size(), machine.size(),
                                 structure.size(), dag.size(), networks.size(), kind.size()}) {
    if (size != n_tasks()) fail_damaged(file.path(), "a column of its tasks is too short");
  }
  for (const std::size_t size :
       {frame.size(), source.size(), line_number.size(), status.size(), best.size(), all_cost.size(),
        timestamp.size(), codes_.size(), time_offsets_.empty() ? 0 : time_offsets_.size() - 1}) {
    if (size != n_programs()) fail_damaged(file.path(), "a column of its programs is too short");
  }
  if (spelled_.size() != spellings_.size() || machines.size() != descriptors.size())
    fail_damaged(file.path(), "two columns that belong together differ in length");
}

ProgramKind Dataset::kind_of(std::size_t program) const {
  check_program(program);
  return kind[task[program]];
}

void Dataset::check_program(std::size_t program) const {
  if (task[program] >= n_tasks() || frame[program] >= frames.size() ||
      source[program] >= sources.size())
    fail_damaged(file.path(), "a program is of no task, frame or source");
}

std::span<const double> Dataset::times(std::size_t program) const {
  const std::uint64_t begin = time_offsets_[program], end = time_offsets_[program + 1];
  if (begin > end || end > times_.size())
    fail_damaged(file.path(), "times do not lie inside their section");
  return times_.subspan(begin, end - begin);
}

std::string_view Dataset::spelling(std::size_t program) const {
  const auto at = std::ranges::lower_bound(spelled_, program);
  return at == spelled_.end() || *at != program
             ? std::string_view()
             : spellings_[static_cast<std::size_t>(at - spelled_.begin())];
}

Record Dataset::record(std::size_t program) const {
  check(kind_of(program) == ProgramKind::Steps, "a program of steps");
  const std::uint32_t its_task = task[program];
  Record record;
  record.workload_key = key[its_task];
  record.target = target[its_task];
  read_frame(frames[frame[program]], record);
  record.steps = steps(program);
  const auto costs = times(program);
  record.costs.assign(costs.begin(), costs.end());
  record.error = status[program];
  record.all_cost = all_cost[program];
  record.timestamp = static_cast<std::int64_t>(timestamp[program]);
  record.spelling = spelling(program);
  return record;
}

KnobRecord Dataset::knob_record(std::size_t program) const {
  check(kind_of(program) == ProgramKind::Knobs, "a program of knobs");
  KnobRecord record;
  record.workload_key = key[task[program]];
  record.target = target[task[program]];
  JsonCursor json(frames[frame[program]]);
  json.expect('[');
  json.word("version");
  json.expect(',');
  record.tvm_version = json.string("tvm version");
  hds::KnobProgram knobs = hds::knobs_from_code(code(program));
  record.index = knobs.index;
  record.code_hash = std::move(knobs.code_hash);
  record.knobs = std::move(knobs.knobs);
  const auto costs = times(program);
  record.costs.assign(costs.begin(), costs.end());
  record.error = status[program];
  record.all_cost = all_cost[program];
  record.timestamp = timestamp[program];
  record.spelling = spelling(program);
  return record;
}

std::string Dataset::line(std::size_t program) const {
  if (const std::string_view text = spelling(program); !text.empty()) return std::string(text);
  return kind_of(program) == ProgramKind::Steps ? to_line(record(program))
                                                : to_line(knob_record(program));
}

std::shared_ptr<const task::Task> Dataset::computation(std::size_t number) const {
  if (dag[number].empty()) return nullptr;
  const std::string its_key(key[number]);
  std::optional<task::Task> readable = task::from_readable_key(its_key);
  return std::make_shared<const task::Task>(readable ? std::move(*readable)
                                                     : task::parse(dag[number], {its_key, {}}));
}

TaskIdentity Dataset::identity(std::size_t number) const {
  return {kind[number], std::string(key[number]), std::string(target[number]),
          std::string(hardware[number]), std::string(machine[number])};
}

}  // namespace hone::record
