#include "record/writer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "record/reader.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

class WriterTest : public testing::Test {
 protected:
  const std::string path_ = temporary_file("log.jsonl");

  void SetUp() override { std::filesystem::remove(path_); }
  std::string contents() const {
    std::ostringstream text;
    text << std::ifstream(path_).rdbuf();
    return text.str();
  }
  void put(const std::string& text) { std::ofstream(path_, std::ios::app) << text; }
};

Record sample() {
  Record record;
  record.workload_key = R"(["k", 1])";
  record.target = "llvm";
  record.hardware.assign(8, 0);
  record.steps = {schedule::ComputeInline{3}};
  record.costs = {0.25};
  return record;
}

TEST_F(WriterTest, WritesTheHeaderAndOneLineARecord) {
  {
    Writer writer(path_);
    writer.append_header(R"({"seed": 7})");
    writer.append(sample());
  }
  Writer(path_).append(sample());
  const std::string line =
      R"({"i": [["[\"k\", 1]", "llvm", [0, 0, 0, 0, 0, 0, 0, 0], "", 0, []], [[], [["CI", 3]]]], )"
      R"("r": [[0.25], 0, 0, 0], "v": "v0.6"})";
  EXPECT_EQ(contents(), "# {\"seed\": 7}\n" + line + "\n" + line + "\n");
}

TEST_F(WriterTest, ATornLineOfOurOwnIsCutOffWhereverItEnds) {
  Record record = sample();
  record.steps = {schedule::Prefetch{2, 4, 1, 16}};
  Writer(path_).append(record);
  const std::string whole = contents();
  for (const std::size_t length : {1UL, 2UL, 50UL}) {
    put(whole.substr(0, length));
    EXPECT_EQ(Writer(path_).torn_line(), whole.substr(0, length));
    EXPECT_EQ(contents(), whole);
  }
}

TEST_F(WriterTest, ATornNoteIsCutOffWhereverItEnds) {
  Writer(path_).append(sample());
  const std::string whole = contents();
  const std::string note = R"(# {"trial": {"round": 1, "message": "a } brace"}})";
  for (std::size_t length = 1; length < note.size(); ++length) {
    put(note.substr(0, length));
    EXPECT_EQ(Writer(path_).torn_line(), note.substr(0, length));
    EXPECT_EQ(contents(), whole);
  }
  put(note);
  EXPECT_EQ(Writer(path_).torn_line(), "");
  EXPECT_EQ(contents(), whole + note + "\n");
}

TEST_F(WriterTest, ACommentOfOthersIsKept) {
  put("# made by hand");
  EXPECT_EQ(Writer(path_).torn_line(), "");
  EXPECT_EQ(contents(), "# made by hand\n");
}

TEST_F(WriterTest, ATornLastLineIsCutOff) {
  Writer(path_).append(sample());
  const std::string whole = contents();
  put(whole.substr(0, 50));
  {
    Writer writer(path_);
    EXPECT_EQ(writer.torn_line(), whole.substr(0, 50));
    writer.append(sample());
  }
  EXPECT_EQ(contents(), whole + whole);
}

TEST_F(WriterTest, AMissingNewlineIsAdded) {
  Writer(path_).append(sample());
  const std::string whole = contents();
  put(whole.substr(0, whole.size() - 1));
  Writer writer(path_);
  EXPECT_EQ(writer.torn_line(), "");
  EXPECT_EQ(contents(), whole + whole);
}

TEST_F(WriterTest, OtherPeoplesFilesAreLeftAlone) {
  put("a poem\nwithout end");
  EXPECT_THROW(Writer{path_}, UserError);
  EXPECT_EQ(contents(), "a poem\nwithout end");
  EXPECT_THROW(Writer{"/nowhere/log.jsonl"}, UserError);
}

TEST_F(WriterTest, IncompleteRecordsAreOurBug) {
  Record record = sample();
  record.hardware.clear();
  EXPECT_THROW(Writer(path_).append(record), InternalError);
}

}  // namespace
}  // namespace hone::record
