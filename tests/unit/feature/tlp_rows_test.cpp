#include "feature/tlp_rows.h"

#include <gtest/gtest.h>

#include "schedule/step_json.h"

namespace hone::feature {
namespace {

using space::Hardware;
using Row = std::vector<float>;

Row row_of(const char* json, const TlpFormat& format) {
  Row rows(format.size());
  tlp_rows(schedule::steps_from_json(json), format, rows.data());
  return {rows.begin(), rows.begin() + format.width};
}

// The flag, then the arguments, then zeros up to the width.
Row expected(int flag, Row arguments, const TlpFormat& format) {
  Row row(static_cast<std::size_t>(format.width));
  row[static_cast<std::size_t>(flag)] = 1;
  std::ranges::copy(arguments, row.begin() + kTlpKinds);
  return row;
}

struct Golden {
  const char* step;
  int flag;
  Row arguments;
};

TEST(TlpRows, AreTheGoldenRows) {
  const TlpFormat cpu = tlp_cropped(Hardware::Kind::Cpu), gpu = tlp_cropped(Hardware::Kind::Gpu);
  EXPECT_EQ(cpu, (TlpFormat{Hardware::Kind::Cpu, 25, 22}));
  EXPECT_EQ(gpu, (TlpFormat{Hardware::Kind::Gpu, 40, 20}));
  const Golden of_cpu[] = {
      {R"([["SP", 3, 4, 96, [2, 3, 8], 1]])", 5, {3, 4, 96, 2, 3, 8, 1}},
      {R"([["RE", 3, [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]]])", 1, {3, 0, 4, 8, 1, 5, 9, 2, 6, 10, 3}},
      {R"([["PR", 2, 0, "auto_unroll_max_step$64"]])", 10, {2, 0, 4}},
      {R"([["PR", 2, 0, "auto_unroll_max_step$16"]])", 10, {2, 0, 1}},
      {R"([["PR", 2, 0, "auto_unroll_max_step$0"]])", 10, {2, 0, 2}},
      {R"([["PR", 2, 0, "auto_unroll_max_step$512"]])", 10, {2, 0, 3}},
      {R"([["CHW", 4, "local"]])", 4, {4, 1}},
      {R"([["FSP", 6, 0, 2, 2]])", 9, {6, 0, 2, 2}},
      {R"([["CI", 1]])", 0, {1}},
      {R"([["AN", 2, 9, 2]])", 2, {2, 9, 2}},
      {R"([["RF", 2, 1, 0]])", 3, {2, 1, 0}},
      {R"([["CR", 7]])", 6, {7}},
      {R"([["CA", 2, 3, 1]])", 7, {2, 3, 1}},
      {R"([["FU", 3, [0, 1, 2]]])", 8, {3, 0, 1, 2}}};
  for (const Golden& golden : of_cpu)
    EXPECT_EQ(row_of(golden.step, cpu), expected(golden.flag, golden.arguments, cpu)) << golden.step;
  const Golden of_gpu[] = {
      {R"([["PR", 2, 0, "auto_unroll_max_step$64"]])", 9, {2, 0, 3}},
      {R"([["PR", 2, 0, "auto_unroll_max_step$1024"]])", 9, {2, 0, 4}},
      {R"([["PR", 2, 0, "auto_unroll_max_step$512"]])", 9, {2, 0, 5}},
      {R"([["FFSP", 5, 0, [2, 3, 4, 5], 1, 1]])", 5, {5, 0, 2, 3, 4, 5, 1, 1}},
      {R"([["CHR", 1, "shared", [3]]])", 1, {1, 1, 3}},
      {R"([["CHW", 3, "local"]])", 2, {3, 1}},
      {R"([["AN", 6, 0, 5]])", 0, {6, 0, 5}},
      {R"([["CI", 1]])", 3, {1}},
      {R"([["CA", 3, 4, 11]])", 4, {3, 4, 11}},
      {R"([["SP", 3, 0, 128, [1, 8, 1, 1], 1]])", 6, {3, 0, 128, 1, 8, 1, 1, 1}},
      {R"([["FU", 6, [1, 2, 3, 4]]])", 7, {6, 1, 2, 3, 4}},
      {R"([["RE", 3, [0, 5, 10, 15, 1, 6, 11, 16, 2, 7]]])", 8, {3, 0, 5, 10, 15, 1, 6, 11, 16}},
      {R"([["FSP", 4, 0, 1, 3]])", 10, {4, 0, 1, 3}}};
  for (const Golden& golden : of_gpu)
    EXPECT_EQ(row_of(golden.step, gpu), expected(golden.flag, golden.arguments, gpu)) << golden.step;
}

TEST(TlpRows, KindsAndWordsThatAreNotInTheVocabularyAreZeros) {
  const TlpFormat cpu = tlp_cropped(Hardware::Kind::Cpu);
  Row without_flag = expected(0, {1, 2, 3, 4}, cpu);
  without_flag[0] = 0;
  EXPECT_EQ(row_of(R"([["PF", 1, 2, 3, 4]])", cpu), without_flag);
  EXPECT_EQ(row_of(R"([["PR", 2, 1, "auto_unroll_max_step$7"]])", cpu), expected(10, {2, 1, 0}, cpu));
}

TEST(TlpRows, TheHeadIsKeptAndTheRestIsPadding) {
  const auto steps = schedule::steps_from_json(R"([["CI", 1], ["CI", 2], ["CI", 3]])");
  const TlpFormat two{Hardware::Kind::Cpu, 2, 12};
  Row rows(two.size(), -1.F);
  tlp_rows(steps, two, rows.data());
  Row both = expected(0, {1}, two);
  const Row second = expected(0, {2}, two);
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ(rows, both);

  const TlpFormat four{Hardware::Kind::Cpu, 4, 12};
  rows.assign(four.size(), -1.F);
  tlp_rows(steps, four, rows.data());
  EXPECT_EQ(Row(rows.end() - 12, rows.end()), Row(12, 0.F));
}

TEST(TlpRows, DoNotDependOnTheNumberOfThreads) {
  std::vector<schedule::Steps> programs;
  for (int i = 0; i < 1000; ++i) programs.push_back({schedule::ComputeAt{i, i + 1, i % 7}});
  const TlpFormat format = tlp_cropped(Hardware::Kind::Cpu);
  Row one(programs.size() * format.size()), three = one;
  tlp_rows(programs, format, 1, one.data());
  tlp_rows(programs, format, 3, three.data());
  EXPECT_EQ(one, three);
  EXPECT_EQ(one[999 * format.size() + kTlpKinds], 999.F);
}

TEST(TlpRows, WholeRowsAreTheStepsAgain) {
  const char* const json =
      R"([["CHW", 3, "local"], ["SP", 3, 0, 0, [2, 3, 8], 1], ["RE", 3, [2, 1, 0]],)"
      R"( ["FU", 0, [0]], ["FU", 3, [1, 2]], ["RE", 1, [0]], ["FSP", 4, 0, 1, 0],)"
      R"( ["AN", 0, 0, 0], ["PR", 0, 0, "auto_unroll_max_step$0"], ["CI", 0]])";
  const auto steps = schedule::steps_from_json(json);
  const TlpFormat format = tlp_whole(Hardware::Kind::Cpu);
  Row rows(format.size());
  tlp_rows(steps, format, rows.data());
  const auto again = steps_of_tlp_rows(rows, format);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(schedule::to_json(*again), json);

  tlp_rows(schedule::Steps{schedule::Prefetch{1, 2, 3, 4}}, format, rows.data());
  EXPECT_FALSE(steps_of_tlp_rows(rows, format).has_value());
}

}  // namespace
}  // namespace hone::feature
