// Logs that others made, all versions: every line parses and comes back byte for byte.
#include <gtest/gtest.h>

#include "base/error.h"
#include "record/line_reader.h"
#include "record/load.h"
#include "record/reader.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

struct Log {
  std::string file;
  std::int64_t records, valid;
  std::int64_t unusual = 0;  // lines that TVM itself would spell otherwise
};

class PublicLogs : public testing::TestWithParam<Log> {};

TEST_P(PublicLogs, EveryLineParsesAndComesBack) {
  const std::string path = shared_file("data/" + GetParam().file);
  HONE_REQUIRE_FILE(path);
  std::int64_t records = 0, valid = 0, unusual = 0;
  LineReader lines(open_maybe_gzip(path));
  for (Line line; lines.next(line); ++records) {
    const Record record = from_line(line.text);
    ASSERT_EQ(to_line(record), line.text) << "line " << line.number;
    valid += is_valid(record);
    unusual += !record.spelling.empty();
  }
  EXPECT_EQ(records, GetParam().records);
  EXPECT_EQ(valid, GetParam().valid);
  EXPECT_EQ(unusual, GetParam().unusual);
}

// The counts are those of the table in the data's own README.
INSTANTIATE_TEST_SUITE_P(
    Data, PublicLogs,
    testing::Values(Log{"ansor_x86_24core_thaisacs.stratified.jsonl.gz", 205999, 205999},
                    Log{"ansor_v100_nnfusion.jsonl.gz", 94210, 93395, 150},
                    Log{"ansor_k80_nnfusion.jsonl.gz", 93076, 92239},
                    Log{"ansor_cpu_bennu.jsonl.gz", 20633, 13259},
                    Log{"ansor_cuda_sm_80_bennu.jsonl.gz", 11635, 11520},
                    Log{"ansor_tvm_ci_logs.jsonl.gz", 205, 205},
                    Log{"ansor_cuda_t4_tlcbench.jsonl.gz", 150, 98},
                    Log{"ansor_metal_m1_octoml.jsonl.gz", 1000, 779}),
    [](const auto& log) { return log.param.file.substr(0, log.param.file.find('.')); });

TEST(PublicLogs, AutoTvmLogsAreToldApart) {
  const std::string path = shared_file("data/autotvm_k80_nnfusion.jsonl.gz");
  HONE_REQUIRE_FILE(path);
  std::int64_t told = 0;
  const auto summary = read_records(
      path, [](Record&&, std::int64_t) {},
      [&](const Problem& problem) { told += problem.reason.find("AutoTVM") != std::string::npos; });
  EXPECT_EQ(summary.records, 0);
  EXPECT_EQ(told, 72960);
}

}  // namespace
}  // namespace hone::record
