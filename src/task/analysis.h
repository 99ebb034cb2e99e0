// What the schedule space asks of a task: who reads whom, how, and how much work there is.
#pragma once
#include <map>
#include <vector>

#include "task/task.h"

namespace hone::task {

// Facts of each op, in stage order (TVM's access analyser, ansor.md 1.3).
struct Analysis {
  // reads[op][producer]: the index tuples with which op reads producer; producers ascend.
  std::vector<std::map<int, std::vector<std::vector<ir::Expr>>>> reads;
  std::vector<std::vector<int>> read_by;  // consumers, ascending
  std::vector<bool> is_simple_access, is_strictly_inlineable, needs_multi_level_tiling, is_output;
  std::vector<std::vector<int>> common_outer;  // [a][b]: number of common outer iterators
};
Analysis analyse(const Task& task);
bool elementwise_match(const Task& task, const Analysis& analysis, int op, int target);

double flop_count(const Task& task);  // TVM's count (1.4), which its reports divide by the time

}  // namespace hone::task
