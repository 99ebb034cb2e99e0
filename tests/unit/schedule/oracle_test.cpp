#include "tests/oracle.h"

#include <gtest/gtest.h>

#include "schedule/state.h"

namespace hone::schedule {
namespace {

TEST(schedule_oracle, InitialStatesPrintAlike) {
  HONE_REQUIRE_FILE(oracle_file());
  for_each_oracle_entry([](const OracleEntry& entry) {
    EXPECT_EQ(print(initial_state(entry.task)), entry.initial) << entry.name << ' ' << entry.target;
  });
}

TEST(schedule_oracle, SketchesPrintAlike) {
  HONE_REQUIRE_FILE(oracle_file());
  for_each_oracle_entry([](const OracleEntry& entry) {
    for (const OracleProgram& sketch : entry.sketches) {
      EXPECT_EQ(print(replay(entry.task, sketch.steps)), sketch.state)
          << entry.name << ' ' << entry.target << ' ' << to_json(sketch.steps);
    }
  });
}

TEST(schedule_oracle, ProgramsPrintAlikeOnceBoundsAreInferred) {
  HONE_REQUIRE_FILE(oracle_file());
  int count = 0;
  for_each_oracle_entry([&](const OracleEntry& entry) {
    for (const OracleProgram& program : entry.programs) {
      State state = replay(entry.task, program.steps);
      infer_bounds(state);
      EXPECT_EQ(print(state), program.state)
          << entry.name << ' ' << entry.target << ' ' << to_json(program.steps);
      ++count;
    }
  });
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace hone::schedule
