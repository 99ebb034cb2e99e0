// Logs that others made: whatever they hold comes back from primitives and from uncropped rows.
#include <gtest/gtest.h>

#include "base/gzip.h"
#include "feature/primitive.h"
#include "feature/tlp_rows.h"
#include "record/autotvm.h"
#include "record/line_reader.h"
#include "record/reader.h"
#include "schedule/step_json.h"
#include "tests/shared_data.h"

namespace hone::feature {
namespace {

struct Log {
  const char* file;
  std::int64_t records;
  int every = 1;                 // records between two that are tried
  std::int64_t not_in_rows = 0;  // of those, with words that TLP's vocabulary lacks
};

class PublicSteps : public testing::TestWithParam<Log> {};

// Wider and longer than TLP's own limits, so that nothing is cut.
TlpFormat roomy(const std::string& target) {
  const bool is_gpu = !target.starts_with("llvm");
  return {is_gpu ? space::Hardware::Kind::Gpu : space::Hardware::Kind::Cpu, 80, 64};
}

TEST_P(PublicSteps, ComeBackFromPrimitivesAndFromRows) {
  const std::string path = shared_file(std::string("data/") + GetParam().file);
  HONE_REQUIRE_FILE(path);
  Words words;
  const std::size_t known_words = words.size();
  std::int64_t not_in_rows = 0, wrong = 0;
  std::vector<float> rows;
  const auto summary = record::read_records(
      path,
      [&](record::Record&& record, std::int64_t line) {
        if (line % GetParam().every != 0) return;
        const auto again = to_steps(from_steps(record.steps, words), words);
        if ((!again || *again != record.steps) && ++wrong < 5) ADD_FAILURE() << "line " << line;
        const TlpFormat format = roomy(record.target);
        rows.resize(format.size());
        tlp_rows(record.steps, format, rows.data());
        const auto decoded = steps_of_tlp_rows(rows, format);
        not_in_rows += !decoded;
        if (decoded && *decoded != record.steps && ++wrong < 5)
          ADD_FAILURE() << "line " << line << "\n"
                        << schedule::to_json(record.steps) << "\n"
                        << schedule::to_json(*decoded);
      },
      [](const record::Problem&) {});
  EXPECT_EQ(summary.records, GetParam().records);
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(not_in_rows, GetParam().not_in_rows);
  EXPECT_EQ(words.size(), known_words);  // nobody's words are left to the unknown slot
}

INSTANTIATE_TEST_SUITE_P(Data, PublicSteps,
                         testing::Values(Log{"ansor_x86_24core_thaisacs.stratified.jsonl.gz", 205999,
                                             5},
                                         Log{"ansor_v100_nnfusion.jsonl.gz", 94210, 3},
                                         Log{"ansor_k80_nnfusion.jsonl.gz", 93076, 3},
                                         Log{"ansor_cpu_bennu.jsonl.gz", 20633, 1, 58},
                                         Log{"ansor_cuda_sm_80_bennu.jsonl.gz", 11635, 1, 99},
                                         Log{"ansor_tvm_ci_logs.jsonl.gz", 205, 1, 2},
                                         Log{"ansor_cuda_t4_tlcbench.jsonl.gz", 150},
                                         Log{"ansor_metal_m1_octoml.jsonl.gz", 1000}),
                         [](const auto& log) {
                           const std::string file = log.param.file;
                           return file.substr(0, file.find('.'));
                         });

TEST(PublicKnobs, ComeBackFromPrimitives) {
  const std::string path = shared_file("data/autotvm_k80_nnfusion.jsonl.gz");
  HONE_REQUIRE_FILE(path);
  Words words(Words::Growth::Closed);
  int programs = 0;
  record::LineReader lines(open_maybe_gzip(path));
  for (record::Line line; lines.next(line); ++programs) {
    const schedule::Knobs knobs = record::knobs_from_line(line.text).knobs;
    ASSERT_EQ(to_knobs(from_knobs(knobs, words), words), knobs) << "line " << line.number;
  }
  EXPECT_EQ(programs, 72960);
}

}  // namespace
}  // namespace hone::feature
