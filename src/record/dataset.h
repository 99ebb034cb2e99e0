// A data set, mapped: tasks, and programs with what was measured of them. docs/formats/dataset.md has
// the columns.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "record/dataset_part.h"
#include "record/hds/file.h"
#include "record/hds/program_code.h"
#include "task/task.h"

namespace hone::record {

class Dataset {
 public:
  // Reads no program. UserError when the file is no data set, or its columns do not fit each other.
  static Dataset open(const std::string& path);

  hds::File file;

  // One entry a task.
  hds::Strings key, target, hardware, machine, structure, dag, networks;
  std::span<const double> flops;
  std::span<const ProgramKind> kind;

  // One entry a program.
  std::span<const std::uint32_t> task, frame, source, line_number;
  std::span<const std::uint8_t> status;
  std::span<const float> best;  // seconds, the smallest of the repeats; NaN when it failed
  std::span<const double> all_cost, timestamp;

  hds::Strings frames, sources, machines, descriptors;

  std::size_t n_tasks() const { return flops.size(); }
  std::size_t n_programs() const { return task.size(); }

  // What follows decodes a program; UserError when its bytes are damaged.
  ProgramKind kind_of(std::size_t program) const;
  std::string_view code(std::size_t program) const { return codes_[program]; }
  std::span<const double> times(std::size_t program) const;
  schedule::Steps steps(std::size_t program) const { return hds::steps_from_code(code(program)); }
  Record record(std::size_t program) const;  // of kind Steps
  KnobRecord knob_record(std::size_t program) const;
  // The line that was imported, without its newline, byte for byte.
  std::string line(std::size_t program) const;
  TaskIdentity identity(std::size_t task_number) const;
  // The computation; null when it is not known.
  std::shared_ptr<const task::Task> computation(std::size_t task_number) const;
  // The line where the columns do not give it back; empty for nearly all.
  std::string_view spelling(std::size_t program) const;
  // UserError unless task, frame and source of the program exist.
  void check_program(std::size_t program) const;

 private:
  void read_columns();
  void check_sizes() const;

  hds::Strings codes_, spellings_;
  std::span<const std::uint64_t> time_offsets_, spelled_;
  std::span<const double> times_;
};

}  // namespace hone::record
