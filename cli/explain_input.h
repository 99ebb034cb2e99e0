// The program that `hone explain` is asked about, with what is known of it.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "cli/options.h"
#include "record/record.h"
#include "task/task.h"

namespace hone::cli {

struct RecordedProgram {
  record::Record record;
  std::string origin;  // for people: "log.json:17"
  std::shared_ptr<const task::Task> task;
  // Of the valid records of the same task on the same target that lie beside it, itself included.
  std::size_t n_beside = 0;
  double best_beside_s = 0;
};

// Throws UserError when there is no such record, or when nobody knows what its task computes.
RecordedProgram load_program(const Explain& options);

}  // namespace hone::cli
