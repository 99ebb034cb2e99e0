#include "cli/input.h"

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "record/load.h"
#include "schedule/state.h"
#include "space/tiling.h"
#include "task/catalogue.h"
#include "task/key.h"
#include "task/text.h"

namespace hone::cli {
namespace {

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  if (!in) {
    throw UserError(
        fmt::format("`{}` cannot be read", path),
        "give a file of DAG text, such as `hone inspect --op OP` prints, or an operator with --op");
  }
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

std::shared_ptr<const task::Task> load_task(const Input& input) {
  if (!input.op.empty()) return std::make_shared<const task::Task>(task::from_op(input.op));
  const std::string text = read_file(input.file);
  try {
    task::Task task = task::parse(text);
    task.name = input.file;
    return std::make_shared<const task::Task>(std::move(task));
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", input.file, error.what()), error.hint());
  }
}

Schedule load_schedule(const Input& input, const std::shared_ptr<const task::Task>& task,
                       const target::Target& target, int threads) {
  if (input.record.empty()) return {space::analytic_steps(*task, target, threads), true, "analytic"};
  const std::string key = task::tvm_key(*task);
  record::Record record = record::load(input.record, key);
  if (record.workload_key != key) {
    fmt::print(stderr, "note: {} was measured for the workload {}; its steps are applied to this one\n",
               input.record, record.workload_key);
  }
  try {
    schedule::replay(task, record.steps);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", input.record, error.what()), error.hint());
  }
  return {std::move(record.steps), record.layout_option != 0, input.record};
}

}  // namespace hone::cli
