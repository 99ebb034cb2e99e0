// Tasks in the syntax TVM prints its compute DAGs in.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "task/task.h"

namespace hone::task {

std::string print(const Task& task);

// Facts the printed form leaves out; where not given they are inferred from the accesses.
struct OpFacts {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<std::pair<std::string, std::int64_t>> reduce;
};
struct ParseContext {
  std::string workload_key;  // its shapes fix outputs and with them the inner shapes
  std::vector<OpFacts> ops;  // in DAG order
};
// Throws UserError with line and column.
Task parse(std::string_view text, const ParseContext& context = {});

}  // namespace hone::task
