#include "record/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "record/writer.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

class DatabaseTest : public testing::Test {
 protected:
  const std::string path_ = temporary_file("run.db");
  const std::string log_ = temporary_file("log.jsonl");

  void SetUp() override {
    for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + suffix);
    std::filesystem::remove(log_);
  }
  std::int64_t ask(const char* sql) { return Sqlite(path_).prepare(sql).value(); }
};

Record sample(int stage, int error = 0) {
  Record record;
  record.workload_key = "k";
  record.target = "cpu";
  record.hardware.assign(8, 0);
  record.steps = {schedule::ComputeInline{stage}};
  record.costs = {error == 0 ? 0.5 : 1e10};
  record.error = error;
  return record;
}

void fill(Database& database) {
  database.add(Begin{.compiler = "c",
                     .task = "matmul",
                     .workload_key = "k",
                     .target = "cpu",
                     .replay = "",
                     .seed = 1,
                     .time = 7});
  database.add(sample(1),
               {.round = 0, .score = 0.25, .build_s = 1, .run_s = 2, .at_s = 3, .message = ""});
  database.add(sample(2, 5), {.message = "C[0] is 'wrong'"});
  database.add(RoundNote{.round = 0, .search_s = 1, .score_s = 2, .rank_correlation = 0.5, .top1 = 1});
  database.add(End{RunState::Done, 1, 0.5});
}

TEST_F(DatabaseTest, AnswersQuestions) {
  Database database(path_);
  fill(database);
  EXPECT_EQ(ask("SELECT COUNT(*) FROM measurement JOIN candidate ON candidate = candidate.id "
                "JOIN task ON task = task.id WHERE task.name = 'matmul'"),
            2);
  EXPECT_EQ(
      ask("SELECT status FROM measurement WHERE message = 'C[0] is ''wrong''' AND best_s IS NULL"), 5);
  EXPECT_EQ(ask("SELECT COUNT(*) FROM measurement WHERE score = 0.25 AND best_s = 0.5"), 1);
  EXPECT_EQ(ask("SELECT COUNT(*) FROM run WHERE state = 'done' AND best_s = 0.5"), 1);
  EXPECT_EQ(ask("SELECT COUNT(*) FROM scorer WHERE rank_correlation = 0.5"), 1);
  EXPECT_EQ(ask("SELECT COUNT(*) FROM event"), 3);
}

TEST_F(DatabaseTest, IsMadeAgainFromTheLog) {
  {
    Writer writer(log_);
    writer.append_header(to_json(Begin{.compiler = "c",
                                       .task = "t",
                                       .workload_key = "k",
                                       .target = "cpu",
                                       .replay = "",
                                       .seed = 1,
                                       .time = 7}));
    writer.append(sample(1), to_json(TrialNote{.round = 4, .message = ""}));
    writer.append(sample(1));
    writer.append(sample(2));
  }
  Database database(path_);
  fill(database);
  for (int i = 0; i < 2; ++i) {
    database.rebuild(log_);
    EXPECT_EQ(ask("SELECT COUNT(*) FROM measurement"), 3);
    EXPECT_EQ(ask("SELECT COUNT(*) FROM candidate"), 2) << "one measured twice";
    EXPECT_EQ(ask("SELECT COUNT(*) FROM measurement WHERE round = 4"), 1);
    EXPECT_EQ(ask("SELECT COUNT(*) FROM run WHERE state = 'running'"), 1);
  }
}

TEST_F(DatabaseTest, RefusesAFileOfAnotherKind) {
  std::ofstream(path_) << "This is no database, and long enough to be read as one if it were.";
  EXPECT_THROW(Database{path_}, UserError);
}

}  // namespace
}  // namespace hone::record
