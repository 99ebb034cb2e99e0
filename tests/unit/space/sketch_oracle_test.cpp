// hone's sketches against those that TVM's auto_scheduler made.
#include <gtest/gtest.h>

#include "space/sketch.h"
#include "tests/oracle.h"

namespace hone::space {
namespace {

TEST(sketch_oracle, SketchesAreTvmsInTvmsOrder) {
  HONE_REQUIRE_FILE(oracle_file());
  int n_entries = 0;
  for_each_oracle_entry([&](const OracleEntry& entry) {
    std::vector<std::string> expected, made;
    for (const OracleProgram& sketch : entry.sketches) expected.push_back(to_json(sketch.steps));
    for (const Sketch& sketch : sketches(entry.task, hardware_from(entry.hardware))) {
      made.push_back(to_json(sketch.steps));
    }
    EXPECT_EQ(made, expected) << entry.name << ' ' << entry.target;
    ++n_entries;
  });
  EXPECT_EQ(n_entries, 54);
}

}  // namespace
}  // namespace hone::space
