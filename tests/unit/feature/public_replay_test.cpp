// Programs that others measured, wherever their task is known: all of them replay and have features.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/gzip.h"
#include "feature/sections.h"
#include "record/reader.h"
#include "task/readable_key.h"
#include "task/text.h"
#include "tests/shared_data.h"

namespace hone::feature {
namespace {

struct Log {
  const char* file;
  int every;           // records between two that are tried
  double known_share;  // of programs whose task is known, at least
};

class PublicReplay : public testing::TestWithParam<Log> {};

// Texts by workload key.
std::map<std::string, std::string> read_dags() {
  std::map<std::string, std::string> dags;
  simdjson::dom::parser parser;
  const simdjson::padded_string text(read_maybe_gzip(shared_file("data/workload_dags.jsonl.gz")));
  simdjson::dom::document_stream objects = parser.parse_many(text, std::size_t{1} << 26);
  for (const simdjson::dom::element object : objects) {
    const std::string_view key = object["workload_key"], dag = object["dag"];
    dags.emplace(key, dag);
  }
  return dags;
}

std::shared_ptr<const task::Task> task_of(const std::string& key) {
  static const std::map<std::string, std::string> dags = read_dags();
  if (auto task = task::from_readable_key(key)) return std::make_shared<const task::Task>(*task);
  const auto dag = dags.find(key);
  if (dag == dags.end()) return nullptr;
  return std::make_shared<const task::Task>(task::parse(dag->second, {key, {}}));
}

TEST_P(PublicReplay, ProgramsOfKnownTasksHaveAllFeatures) {
  const std::string path = shared_file(std::string("data/") + GetParam().file);
  HONE_REQUIRE_FILE(path);
  HONE_REQUIRE_FILE(shared_file("data/workload_dags.jsonl.gz"));
  SectionInput input;
  std::map<std::string, std::uint32_t> numbers;
  std::vector<std::uint32_t> task_of_program;
  std::vector<schedule::Steps> programs;
  record::read_records(
      path,
      [&](record::Record&& record, std::int64_t line) {
        if (line % GetParam().every != 0) return;
        const auto [at, is_new] =
            numbers.emplace(record.workload_key + record.target, input.tasks.size());
        if (is_new)
          input.tasks.push_back({task_of(record.workload_key), space::hardware_from(record.hardware)});
        task_of_program.push_back(at->second);
        programs.push_back(std::move(record.steps));
      },
      [](const record::Problem&) {});
  input.task_of = task_of_program;
  input.steps_of = [&](std::size_t i) { return programs[i]; };
  for (const char* const name : {"statements", "primitives", "summary"}) {
    std::size_t values = 0;
    bool are_finite = true;
    const Section section = make_section(name, input, 2, [&](std::span<const float> rows) {
      values += rows.size();
      are_finite &= std::ranges::all_of(rows, [](float value) { return std::isfinite(value); });
    });
    EXPECT_GT(values, 0U);
    EXPECT_TRUE(are_finite) << name;
    std::int64_t unknown = 0;
    for (const LeftOut& left_out : section.left_out) {
      EXPECT_EQ(left_out.reason, "the task's computation is not known") << left_out.example;
      unknown += left_out.count;
    }
    const auto n = static_cast<double>(programs.size());
    EXPECT_GE(1 - static_cast<double>(unknown) / n, GetParam().known_share) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Data, PublicReplay,
                         testing::Values(Log{"ansor_x86_24core_thaisacs.stratified.jsonl.gz", 41, 0.92},
                                         Log{"ansor_v100_nnfusion.jsonl.gz", 31, 1},
                                         Log{"ansor_k80_nnfusion.jsonl.gz", 31, 1},
                                         Log{"ansor_cpu_bennu.jsonl.gz", 11, 0.5},
                                         Log{"ansor_cuda_sm_80_bennu.jsonl.gz", 7, 0.7}),
                         [](const auto& log) {
                           const std::string file = log.param.file;
                           return file.substr(0, file.find('.'));
                         });

}  // namespace
}  // namespace hone::feature
