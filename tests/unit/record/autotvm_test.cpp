#include "record/autotvm.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "base/gzip.h"
#include "record/line_reader.h"
#include "tests/shared_data.h"

namespace hone::record {
namespace {

using schedule::KnobKind;

const std::string kLine =
    R"({"input": ["llvm -keys=cpu", "conv.x86", [["TENSOR", [1, 3], "float32"], 1, "SAME"], {}], )"
    R"("config": {"index": 17, "code_hash": null, "entity": [["tile_x", "sp", [-1, 8]], )"
    R"(["order", "re", [1, 0]], ["ann", "an", ["unroll", "vec"]], ["step", "ot", 1500], )"
    R"(["unroll_kw", "ot", true], ["layout", "ot", "NCHW"], ["rate", "ot", 0.5]]}, )"
    R"("result": [[0.014547414428571428, 2.5e-05], 0, 2.0202438831329346, 1702579674.1106634], )"
    R"("version": 0.2, "tvm_version": "0.10.0"})";

TEST(AutoTvm, ReadsEveryKindOfKnob) {
  const KnobRecord record = knobs_from_line(kLine);
  EXPECT_EQ(record.target, "llvm -keys=cpu");
  EXPECT_EQ(record.workload_key, R"(["conv.x86", [["TENSOR", [1, 3], "float32"], 1, "SAME"], {}])");
  EXPECT_EQ(record.index, 17);
  EXPECT_EQ(record.knobs, (schedule::Knobs{{"tile_x", KnobKind::Split, {-1, 8}, {}},
                                           {"order", KnobKind::Reorder, {1, 0}, {}},
                                           {"ann", KnobKind::Annotate, {}, {"unroll", "vec"}},
                                           {"step", KnobKind::Number, {1500}, {}},
                                           {"unroll_kw", KnobKind::Flag, {1}, {}},
                                           {"layout", KnobKind::Word, {}, {"NCHW"}},
                                           {"rate", KnobKind::Other, {}, {"0.5"}}}));
  EXPECT_EQ(record.costs, (std::vector<double>{0.014547414428571428, 2.5e-05}));
  EXPECT_EQ(record.tvm_version, "0.10.0");
  EXPECT_EQ(record.spelling, "");
  EXPECT_EQ(to_line(record), kLine);
}

TEST(AutoTvm, KeepsAnotherSpelling) {
  std::string other = kLine;
  other.erase(other.find(' '), 1);
  const KnobRecord record = knobs_from_line(other);
  EXPECT_EQ(record.spelling, other);
  EXPECT_EQ(to_line(record), other);
}

TEST(AutoTvm, SaysWhatIsWrong) {
  EXPECT_THROW(knobs_from_line(kLine.substr(0, 300)), UserError);
  EXPECT_THROW(knobs_from_line(R"({"input": ["a", "b", [], {}], "version": 0.2})"), UserError);
  for (const auto& [good, bad] :
       {std::pair{"\"sp\"", "\"xx\""}, {": 0.2", ": 0.1"}, {", 0, 2", ", 9, 2"}}) {
    std::string line = kLine;
    line.replace(line.find(good), std::string(good).size(), bad);
    EXPECT_THROW(knobs_from_line(line), UserError) << bad;
  }
}

TEST(AutoTvm, PublicLogsComeBackByteForByte) {
  const std::string path = shared_file("data/autotvm_k80_nnfusion.jsonl.gz");
  HONE_REQUIRE_FILE(path);
  int records = 0, valid = 0, respelled = 0;
  LineReader lines(open_maybe_gzip(path));
  for (Line line; lines.next(line); ++records) {
    ASSERT_TRUE(is_autotvm(line.text)) << line.number;
    const KnobRecord record = knobs_from_line(line.text);
    ASSERT_EQ(to_line(record), line.text) << line.number;
    valid += record.error == 0;
    respelled += !record.spelling.empty();
  }
  EXPECT_EQ(records, 72960);
  EXPECT_EQ(valid, 60776);
  EXPECT_EQ(respelled, 232);  // a time-out of `10` seconds
}

}  // namespace
}  // namespace hone::record
