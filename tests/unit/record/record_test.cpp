#include "record/record.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace hone::record {
namespace {

const std::string kTask =
    R"(["[\"matmul\", 512, 512]", "llvm -keys=cpu", [8, 64, 64, 0, 0, 0, 0, 0], "", 2, ["W"]])";
const std::string kSteps = R"([["SP", 2, 0, 512, [4, 2, 8], 1], ["AN", 2, 3, 2]])";
const std::string kResult = R"([[0.00121, 1.84e-05], 0, 0.31, 1700000000])";

std::string line_of(const std::string& task, const std::string& steps, const std::string& result,
                    const std::string& version) {
  return R"({"i": [)" + task + ", [[], " + steps + R"(]], "r": )" + result + R"(, "v": ")" + version +
         "\"}";
}
const std::string kLine = line_of(kTask, kSteps, kResult, "v0.6");

std::string refusal(const std::string& line) {
  try {
    from_line(line);
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

void expect_refused(const std::string& line, const std::string& reason) {
  EXPECT_NE(refusal(line).find(reason), std::string::npos) << refusal(line) << "\n" << line;
}

TEST(Record, FieldsLandWhereTheyBelong) {
  const Record record = from_line(kLine);
  EXPECT_EQ(record.workload_key, R"(["matmul", 512, 512])");
  EXPECT_EQ(record.target, "llvm -keys=cpu");
  EXPECT_EQ(record.hardware, (std::vector<std::int64_t>{8, 64, 64, 0, 0, 0, 0, 0}));
  EXPECT_EQ(record.target_host, "");
  EXPECT_EQ(record.layout_option, 2);
  EXPECT_EQ(record.inputs, (std::vector<std::string>{"W"}));
  EXPECT_EQ(record.steps.size(), 2U);
  EXPECT_EQ(record.costs, (std::vector<double>{0.00121, 1.84e-05}));
  EXPECT_EQ(record.error, 0);
  EXPECT_EQ(record.all_cost, 0.31);
  EXPECT_EQ(record.timestamp, 1700000000);
  EXPECT_EQ(record.version, 6);
  EXPECT_EQ(record.spelling, "");
  EXPECT_EQ(best_cost(record), 1.84e-05);
}

TEST(Record, EachVersionHasItsFields) {
  const std::vector<std::pair<std::string, std::string>> tasks = {
      {"v0.2", R"(["key", "llvm"])"},
      {"v0.3", R"(["key", "llvm", [-1, 16, 64, 49152, 2147483647, 1024, 8, 32]])"},
      {"v0.4", R"(["key", "llvm", [8, 64, 64, 0, 0, 0, 0, 0]])"},
      {"v0.5", R"(["key", "llvm", [8, 64, 64, 0, 0, 0, 0, 0], "llvm -mcpu=a", 1])"},
      {"v0.6", R"(["key", "llvm", [8, 64, 64, 0, 0, 0, 0, 0], "", 0, []])"}};
  for (const auto& [version, task] : tasks) {
    const std::string line = line_of(task, kSteps, kResult, version);
    Record record = from_line(line);
    EXPECT_EQ(record.spelling, "") << version;
    EXPECT_EQ(to_line(record), line);
    // The same fields, written as v0.6.
    record.version = kLastVersion;
    EXPECT_EQ(to_line(from_line(to_line(record))), to_line(record));
  }
}

TEST(Record, UnusualSpellingIsKept) {
  const std::vector<std::string> unusual = {
      line_of(kTask, kSteps, "[[10000000000.0], 4, 1, 1700000000]", "v0.6"),
      line_of(kTask, kSteps, "[[1.0e-3], 0, 1, 1700000000]", "v0.6"),
      line_of(kTask, kSteps, "[[0.0012345678], 0, 1, 1700000000]", "v0.6"),
      line_of(kTask, R"([["CI",2]])", kResult, "v0.6"),
      line_of(kTask, R"([["CI", 2 ]])", kResult, "v0.6"),
      line_of(kTask, R"([["CI", -0]])", kResult, "v0.6"),
      line_of(R"(["\u006bey", "cuda\/x"])", kSteps, kResult, "v0.2"),
      line_of(R"(["key", "llvm"])", kSteps, kResult, "v0.6"),  // too few fields for its version
      line_of(kTask, kSteps, kResult, "v0.4"),                 // too many
      R"({"v": "v0.2", "r": )" + kResult + R"(, "i": [["key", "llvm"], [[], []]]})",
      kLine + " ",
      kLine + "\r"};
  for (const std::string& line : unusual) {
    const Record record = from_line(line);
    EXPECT_EQ(record.spelling, line);
    EXPECT_EQ(to_line(record), line);
  }
}

TEST(Record, StepsOfOurOwnHideFromReadersOfTheFormatBehindASpace) {
  const std::string line = ' ' + line_of(kTask, R"([["PF", 2, 4, 1, 16]])", kResult, "v0.6");
  const Record record = from_line(line);
  EXPECT_EQ(record.steps, (schedule::Steps{schedule::Prefetch{2, 4, 1, 16}}));
  EXPECT_EQ(record.spelling, "");
  EXPECT_EQ(to_line(record), line);
  EXPECT_FALSE(is_comment(line));
  EXPECT_TRUE(is_comment(" not a record"));
  // A space where there need be none, and none where there should be, come back as they were.
  EXPECT_EQ(to_line(from_line(' ' + kLine)), ' ' + kLine);
  EXPECT_EQ(to_line(from_line(line.substr(1))), line.substr(1));
}

TEST(Record, TextOfEveryKindComesBack) {
  Record record;
  record.workload_key = "quote \" backslash \\ newline \n bell \a \xc3\xa9";
  record.hardware.assign(8, 0);
  record.costs = {1e10};
  record.error = 4;
  EXPECT_EQ(from_line(to_line(record)).workload_key, record.workload_key);
  EXPECT_EQ(to_line(from_line(to_line(record))), to_line(record));
}

TEST(Record, OnlyMeasuredRecordsAreValid) {
  EXPECT_TRUE(is_valid(from_line(kLine)));
  const Record failed = from_line(line_of(kTask, kSteps, "[[1e+10], 6, 15, 1700000000]", "v0.6"));
  EXPECT_FALSE(is_valid(failed));
  EXPECT_TRUE(std::isinf(best_cost(failed)));
  EXPECT_FALSE(is_valid(from_line(line_of(kTask, kSteps, "[[], 0, 15, 1700000000]", "v0.6"))));
}

TEST(Record, EveryTruncationIsRefused) {
  for (std::size_t size = 0; size < kLine.size(); ++size)
    EXPECT_NE(refusal(kLine.substr(0, size)), "accepted") << size;
}

TEST(Record, CorruptionIsNamed) {
  for (const char* version : {"v0.1", "v0.7", "v1.6", "0.6", ""})
    expect_refused(line_of(kTask, kSteps, kResult, version), "log version");
  expect_refused(line_of(kTask, R"([["CI", 1], ["XX", 2]])", kResult, "v0.6"), "step 1 (XX)");
  expect_refused(line_of(kTask, R"([["CI", -3]])", kResult, "v0.6"), "stage id is -3");
  expect_refused(line_of(kTask, R"([["SP", 0, 0, 64, [1000000000], 1]])", kResult, "v0.6"),
                 "length is 1000000000");
  expect_refused(line_of(kTask, "7", kResult, "v0.6"), "expected '['");
  expect_refused(line_of(R"([17, "llvm"])", kSteps, kResult, "v0.6"), "a string (workload key)");
  expect_refused(line_of(R"(["key", "llvm", [1, 2, 3, 4, 5, 6, 7, 8, 9]])", kSteps, kResult, "v0.6"),
                 "hardware");
  expect_refused(line_of(kTask, kSteps, "[[0.1], 9, 1, 1]", "v0.6"), "error number is 9");
  expect_refused(line_of(kTask, kSteps, "[[-0.1], 0, 1, 1]", "v0.6"), "cost is negative");
  expect_refused(line_of(kTask, kSteps, "[[nan], 0, 1, 1]", "v0.6"), "a number (cost)");
  expect_refused(line_of(kTask, kSteps, "[[0.1], 0, 1, 1.5]", "v0.6"), "timestamp");
  expect_refused(kLine + kLine, "expected the end");
  expect_refused(R"({"i": [["k", "t"], [[], []]], "v": "v0.2"})", "only the keys `iv`");
  expect_refused(R"({"v": "v0.2", "v": "v0.2"})", "unexpected key `v`");
  expect_refused(R"({"x": 1})", "unknown key `x`");
  expect_refused("[]", "expected '{'");
}

TEST(Record, AutoTvmLinesAreRecognised) {
  expect_refused(
      R"({"input": ["cuda", "dense.gpu", [], {}], "config": {}, "result": [[1.0], 1, 0.1, 1.0]})",
      "AutoTVM");
}

}  // namespace
}  // namespace hone::record
