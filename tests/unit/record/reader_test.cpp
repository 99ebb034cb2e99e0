#include "record/reader.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <filesystem>

#include "base/error.h"
#include "record/line_reader.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

const std::string kGood =
    R"({"i": [["k", "t"], [[], [["CI", 1]]]], "r": [[0.5], 0, 1, 1], "v": "v0.2"})";
const std::string kFailed = R"({"i": [["k", "t"], [[], []]], "r": [[1e+10], 4, 1, 1], "v": "v0.2"})";

struct Outcome {
  ReadSummary summary;
  std::vector<std::int64_t> record_lines, problem_lines;
  std::vector<std::string> reasons;

  OnRecord on_record() {
    return [this](Record&&, std::int64_t line) { record_lines.push_back(line); };
  }
  OnProblem on_problem() {
    return [this](const Problem& problem) {
      problem_lines.push_back(problem.line);
      reasons.push_back(problem.reason);
    };
  }
};

Outcome read(const std::string& text) {
  Outcome outcome;
  outcome.summary = read_records_of_text(text, outcome.on_record(), outcome.on_problem());
  return outcome;
}

void write_gzip(const std::string& path, const std::string& text) {
  gzFile file = gzopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  ASSERT_EQ(gzwrite(file, text.data(), text.size()), static_cast<int>(text.size()));
  gzclose(file);
}

TEST(Reader, CorruptLinesAreReportedAndTheRestIsRead) {
  const Outcome outcome = read("# {\"seed\": 1}\n" + kGood + "\n" + kGood.substr(0, 40) + "\n\n" +
                               kFailed + "\n not a record\nnonsense\n" + kGood + "\n");
  EXPECT_EQ(outcome.summary.lines, 8);
  EXPECT_EQ(outcome.summary.records, 3);
  EXPECT_EQ(outcome.summary.valid, 2);
  EXPECT_EQ(outcome.summary.comments, 3);
  EXPECT_EQ(outcome.summary.problems, 2);
  EXPECT_EQ(outcome.record_lines, (std::vector<std::int64_t>{2, 5, 8}));
  EXPECT_EQ(outcome.problem_lines, (std::vector<std::int64_t>{3, 7}));
}

TEST(Reader, ATornLastLineIsNamedSo) {
  const Outcome torn = read(kGood + "\n" + kGood.substr(0, 30));
  EXPECT_EQ(torn.summary.records, 1);
  ASSERT_EQ(torn.reasons.size(), 1U);
  EXPECT_NE(torn.reasons[0].find("the last line is torn"), std::string::npos);
  const Outcome whole = read(kGood + "\n" + kGood);  // only the newline is missing
  EXPECT_EQ(whole.summary.records, 2);
  EXPECT_EQ(whole.summary.problems, 0);
}

TEST(Reader, OverlongLinesAreSkippedWhole) {
  const std::string overlong = "{\"i\": [[\"" + std::string(5 * kMaxLineBytes, 'x');
  for (const std::string& text :
       {kGood + "\n" + overlong + "\n" + kGood + "\n", kGood + "\n" + overlong}) {
    const Outcome outcome = read(text);
    EXPECT_EQ(outcome.problem_lines, (std::vector<std::int64_t>{2}));
    EXPECT_NE(outcome.reasons[0].find("longer than"), std::string::npos);
    EXPECT_EQ(outcome.record_lines.back(), text.ends_with('\n') ? 3 : 1);
  }
}

// Lines of every length cross the ends of the pieces in which the source gives its text.
TEST(LineReader, LinesDoNotDependOnThePiecesTheyCameIn) {
  std::string text;
  for (int i = 0; i < 300; ++i) text += std::string(i % 37, static_cast<char>('a' + i % 26)) + "\n";
  text += "tail";
  for (const std::size_t piece : {1, 7, 64, 100000}) {
    LineReader lines([rest = text_source(text), piece](char* to, std::size_t size) mutable {
      return rest(to, std::min(size, piece));
    });
    std::string joined;
    Line line;
    while (lines.next(line)) joined.append(line.text).append(line.has_newline ? "\n" : "");
    EXPECT_EQ(joined, text);
    EXPECT_EQ(line.number, 301);
  }
}

TEST(Reader, GzipFilesAreReadAndTheirDamageIsReported) {
  const std::string path = temporary_file("log.jsonl.gz");
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += kGood.substr(0, kGood.size() - 1) + std::string(i % 9, ' ') + "}\n";
  write_gzip(path, text);
  Outcome whole;
  whole.summary = read_records(path, whole.on_record(), whole.on_problem());
  EXPECT_EQ(whole.summary.records, 2000);
  EXPECT_EQ(whole.summary.problems, 0);

  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  Outcome cut;
  cut.summary = read_records(path, cut.on_record(), cut.on_problem());
  EXPECT_LT(cut.summary.records, 2000);
  ASSERT_EQ(cut.summary.problems, 1);
  EXPECT_NE(cut.reasons[0].find("cannot read"), std::string::npos) << cut.reasons[0];
}

TEST(Reader, FilesThatCannotBeOpenedAreUserErrors) {
  Outcome outcome;
  EXPECT_THROW(read_records(temporary_file("missing"), outcome.on_record(), outcome.on_problem()),
               UserError);
  EXPECT_THROW(read_records(testing::TempDir(), outcome.on_record(), outcome.on_problem()), UserError);
}

}  // namespace
}  // namespace hone::record
