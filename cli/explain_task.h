// What the task of a record computes, when the record has only its key.
#pragma once
#include <memory>
#include <string>

#include "cli/options.h"
#include "task/task.h"

namespace hone::cli {

// What --op says, else the task of that key in the model, among the DAGs, in the set, in the key itself
// or in what the log tells of it, if anything. Null when nobody knows it. Throws UserError when what
// the options name cannot be read or, of --op, is another task.
std::shared_ptr<const task::Task> task_of_key(const std::string& key, const Explain& options,
                                              const std::string& told);

}  // namespace hone::cli
