#include "record/best.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

std::string line(const char* workload, const char* target, double seconds, int error = 0) {
  Record record;
  record.workload_key = workload;
  record.target = target;
  record.hardware.assign(kHardwareNumbers, 1);
  record.costs = {seconds};
  record.error = error;
  return to_line(record) + "\n";
}

TEST(BestRecords, AreTheFastestValidOnesOfTheTarget) {
  const std::string run = temporary_file("run"), log = temporary_file("log.json");
  std::filesystem::create_directory(run);
  std::ofstream(run + "/records.jsonl")
      << line("[\"a\"]", "here", 3) << line("[\"a\"]", "here", 2) << line("[\"b\"]", "there", 1);
  std::ofstream(log) << line("[\"a\"]", "here", 1, 4) << "no record\n" << line("[\"b\"]", "here", 5);
  const BestRecords best = best_records({run, log}, "here");
  ASSERT_EQ(best.by_workload.size(), 2u);
  EXPECT_EQ(best_cost(best.by_workload.at("[\"a\"]")), 2);
  EXPECT_EQ(best_cost(best.by_workload.at("[\"b\"]")), 5);
  EXPECT_EQ(best.others, 1);
  EXPECT_EQ(best.problems, 1);
  EXPECT_THROW(best_records({"there is no such log"}, "here"), UserError);
}

}  // namespace
}  // namespace hone::record
