// Public records whose computation is known: all of their steps apply.
#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "base/error.h"
#include "base/gzip.h"
#include "base/json.h"
#include "record/line_reader.h"
#include "record/reader.h"
#include "schedule/state.h"
#include "task/text.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

using Tasks = std::map<std::string, std::string>;  // workload key -> printed computation

Tasks known_tasks(const std::string& path) {
  Tasks tasks;
  LineReader lines(open_maybe_gzip(path));
  for (Line line; lines.next(line);) {
    JsonCursor json(line.text);
    std::string fields[2];
    json.expect('{');
    for (std::string& field : fields) {
      json.word("key");
      json.expect(':');
      field = json.string("text");
      json.take(',');
    }
    tasks.emplace(fields[0], fields[1]);
  }
  return tasks;
}

// Whether every split notes the extent that its loop has. Throws when a step does not apply.
bool replays_with_its_extents(const std::shared_ptr<const task::Task>& task, const Record& record) {
  bool agree = true;
  schedule::State state = schedule::initial_state(task);
  for (const schedule::Step& step : record.steps) {
    if (const auto* split = std::get_if<schedule::Split>(&step); split != nullptr && split->extent) {
      const auto& extent = state.stages.at(split->stage).iters.at(split->iter).extent;
      agree &= !extent || *extent == *split->extent;
    }
    schedule::apply(state, step);
  }
  schedule::infer_bounds(state);
  return agree;
}

struct Log {
  std::string name;
  std::int64_t known;  // records whose computation is known
  // Of these, schedules that were found for another shape and tried on this one.
  std::int64_t transferred;
};

class PublicRecords : public testing::TestWithParam<Log> {};

TEST_P(PublicRecords, ReplayWhereTheComputationIsKnown) {
  const std::string workloads = shared_file("data/workload_dags.jsonl.gz");
  const std::string path = shared_file("data/" + GetParam().name + ".jsonl.gz");
  HONE_REQUIRE_FILE(workloads);
  HONE_REQUIRE_FILE(path);
  const Tasks texts = known_tasks(workloads);
  std::int64_t known = 0, transferred = 0;
  std::string key;
  std::shared_ptr<const task::Task> task;
  const auto replay = [&](Record&& record, std::int64_t line) {
    if (record.workload_key != key) {  // the logs are sorted by it
      key = record.workload_key;
      const auto text = texts.find(key);
      task.reset();
      if (text != texts.end())
        task = std::make_shared<task::Task>(task::parse(text->second, {key, {}}));
    }
    if (!task) return;
    ++known;
    try {
      transferred += !replays_with_its_extents(task, record);
    } catch (const UserError& error) {
      ADD_FAILURE() << "line " << line << ": " << error.what();
    }
  };
  read_records(path, replay, [](const Problem& problem) { ADD_FAILURE() << problem.reason; });
  EXPECT_EQ(known, GetParam().known);
  EXPECT_EQ(transferred, GetParam().transferred);
}

INSTANTIATE_TEST_SUITE_P(Data, PublicRecords,
                         testing::Values(Log{"ansor_x86_24core_thaisacs.stratified", 192542, 27326},
                                         Log{"ansor_cpu_bennu", 850, 0},
                                         Log{"ansor_cuda_sm_80_bennu", 64, 0},
                                         Log{"ansor_tvm_ci_logs", 8, 0}),
                         [](const auto& log) {
                           return log.param.name.substr(0, log.param.name.find('.'));
                         });

}  // namespace
}  // namespace hone::record
