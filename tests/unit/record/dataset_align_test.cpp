#include "record/dataset_align.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "record/dataset_check.h"
#include "record/import.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

struct Measured {
  std::string task;
  int factor;  // of its only split: what tells it from others
  double seconds;
  int error = 0;
};

std::string set_of(const std::string& name, const std::vector<Measured>& programs) {
  ImportOptions options;
  options.logs = {temporary_file(name + ".log")};
  options.machine = name + ":kind=cpu,cores=1";
  options.output = temporary_file(name + ".hds");
  std::ofstream log(options.logs[0]);
  for (const Measured& program : programs)
    log << R"({"i": [["[\")" << program.task
        << R"(\"]", "llvm", [1, 64, 64, 0, 0, 0, 0, 0], "", 2, []], )"
        << R"([[], [["SP", 2, 0, 64, [)" << program.factor << R"(], 1]]]], "r": [[)" << program.seconds
        << ", " << 2 * program.seconds << "], " << program.error
        << R"(, 0.5, 1700000000], "v": "v0.6"})"
        << "\n";
  log.close();
  import_logs(options, [](const ImportProblem&) { FAIL(); });
  return options.output;
}

std::vector<double> first_times(const Dataset& set) {
  std::vector<double> out;
  for (std::size_t i = 0; i < set.n_programs(); ++i) out.push_back(set.times(i)[0]);
  return out;
}

TEST(DatasetAlign, KeepsWhatAllMeasuredInTheOrderOfTheFirst) {
  const std::string a = set_of("a", {{"x", 1, 0.1}, {"x", 2, 0.2}, {"y", 1, 0.3}, {"y", 8, 0.4}});
  const std::string b = set_of(
      "b", {{"y", 1, 0.6}, {"x", 4, 0.7}, {"x", 2, 0.8}, {"x", 1, 0.9}, {"x", 1, 0.5}, {"z", 8, 1.0}});
  const std::vector<std::string> outputs = {temporary_file("a.aligned"), temporary_file("b.aligned")};
  const AlignSummary summary = align_sets({a, b}, outputs);
  EXPECT_EQ(summary.programs, 3);
  EXPECT_EQ(summary.tasks, 2);
  EXPECT_EQ(summary.left_out, (std::vector<std::int64_t>{1, 3}));
  const Dataset first = Dataset::open(outputs[0]), second = Dataset::open(outputs[1]);
  EXPECT_EQ(first_times(first), (std::vector{0.1, 0.2, 0.3}));
  EXPECT_EQ(first_times(second), (std::vector{0.9, 0.8, 0.6}));
  EXPECT_EQ(second.times(0).size(), 2U) << "all repeats stay";
  const Alignment alignment = align_datasets(first, second, [](const std::string&) {});
  EXPECT_EQ(alignment.aligned, 3);
  EXPECT_EQ(alignment.missing + alignment.misaligned, 0);
}

TEST(DatasetAlign, FailuresStay) {
  const std::string a = set_of("fa", {{"x", 1, 1e10, 6}, {"x", 2, 0.2}});
  const std::string b = set_of("fb", {{"x", 1, 0.6}, {"x", 2, 1e10, 4}});
  const std::vector<std::string> outputs = {temporary_file("fa.aligned"), temporary_file("fb.aligned")};
  EXPECT_EQ(align_sets({a, b}, outputs).programs, 2);
  EXPECT_EQ(Dataset::open(outputs[0]).status[0], 6);
  EXPECT_EQ(Dataset::open(outputs[1]).status[1], 4);
}

TEST(DatasetAlign, SetsWithoutACommonProgramAreRefused) {
  const std::string a = set_of("na", {{"x", 1, 0.1}}), b = set_of("nb", {{"x", 2, 0.1}});
  EXPECT_THROW(align_sets({a, b}, {temporary_file("na.aligned"), temporary_file("nb.aligned")}),
               UserError);
}

}  // namespace
}  // namespace hone::record
