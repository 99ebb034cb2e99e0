#include "record/load.h"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

std::string line_of(const std::string& key, const std::string& result) {
  return R"({"i": [[")" + key + R"(", "t"], [[], []]], "r": )" + result + R"(, "v": "v0.2"})" + "\n";
}

class LoadTest : public testing::Test {
 protected:
  const std::string path_ = temporary_file("log.jsonl");

  void write(const std::string& text) { std::ofstream(path_) << text; }
  void SetUp() override {
    write("# {}\n" + line_of("a", "[[0.5, 0.3], 0, 1, 1]") + line_of("b", "[[0.1], 0, 1, 2]") +
          "broken\n" + line_of("a", "[[0.01], 5, 1, 3]") + line_of("a", "[[0.4, 0.2], 0, 1, 4]"));
  }
  std::string refusal(const std::string& reference) {
    try {
      load(reference);
    } catch (const UserError& error) {
      return error.what();
    }
    return "loaded";
  }
};

TEST_F(LoadTest, ALineIsThatLine) {
  EXPECT_EQ(load(path_ + ":2").timestamp, 1);
  EXPECT_EQ(load(path_ + ":6").timestamp, 4);
}

TEST_F(LoadTest, AFileIsItsBestValidRecord) {
  EXPECT_EQ(load(path_).timestamp, 2);
  EXPECT_EQ(load(path_, "a").timestamp, 4);
}

TEST_F(LoadTest, WhatIsNotThereIsSaid) {
  EXPECT_NE(refusal(path_ + ":7").find("has 6 lines"), std::string::npos);
  EXPECT_NE(refusal(path_ + ":4").find(":4: column 1: expected '{', found `broken`"),
            std::string::npos);
  EXPECT_NE(refusal(path_ + ":0").find("not a line number"), std::string::npos);
  EXPECT_NE(refusal(path_ + ":x").find("not a line number"), std::string::npos);
  EXPECT_NE(refusal(path_ + ".missing").find("cannot open"), std::string::npos);
  EXPECT_THROW(load(path_, "c"), UserError);
  write(line_of("a", "[[1e+10], 4, 1, 1]"));
  EXPECT_NE(refusal(path_).find("holds no valid record"), std::string::npos);
  write("{\"input\": []}\n");
  EXPECT_NE(refusal(path_).find("AutoTVM"), std::string::npos);
}

}  // namespace
}  // namespace hone::record
