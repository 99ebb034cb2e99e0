// Every program that Ansor sampled or evolved is a candidate of the space made from its sketches.
#include <gtest/gtest.h>

#include "space/space.h"
#include "tests/oracle.h"

namespace hone::space {
namespace {

// The extent in a split says what was seen when it was written down; replaying does not look at it.
schedule::Steps without_extents(schedule::Steps steps) {
  for (schedule::Step& step : steps) {
    if (auto* split = std::get_if<schedule::Split>(&step)) split->extent = std::nullopt;
  }
  return steps;
}

TEST(decisions_oracle, EveryProgramOfTvmDecodesToItsOwnSteps) {
  HONE_REQUIRE_FILE(oracle_file());
  int n_programs = 0;
  for_each_oracle_entry([&](const OracleEntry& entry) {
    const Hardware hardware = hardware_from(entry.hardware);
    const Space space = ansor_space(entry.task, sketches(entry.task, hardware), hardware);
    for (const OracleProgram& program : entry.programs) {
      const std::string what = entry.name + " " + entry.target + " " + schedule::to_json(program.steps);
      const std::optional<Decisions> decisions = space.encode(program.steps);
      ASSERT_TRUE(decisions) << what;
      const std::optional<schedule::Steps> steps = space.decode(*decisions);
      ASSERT_TRUE(steps) << what;
      EXPECT_EQ(schedule::to_json(without_extents(*steps)),
                schedule::to_json(without_extents(program.steps)))
          << what;
      ++n_programs;
    }
  });
  EXPECT_EQ(n_programs, 932);
}

TEST(decisions_oracle, EveryProgramOfTvmIsInHonesOwnSpaceWithTheSameEntries) {
  HONE_REQUIRE_FILE(oracle_file());
  target::Target target = target::parse("avx512");
  int n_programs = 0;
  for_each_oracle_entry([&](const OracleEntry& entry) {
    if (entry.target != "cpu") return;
    target.cores = static_cast<int>(entry.hardware.front());
    const std::vector<Sketch> all = sketches(entry.task, hardware_from(entry.hardware));
    const Space ansor = ansor_space(entry.task, all, hardware_from(entry.hardware));
    const Space hone = hone_space(entry.task, all, target);
    for (const OracleProgram& program : entry.programs) {
      EXPECT_EQ(hone.encode(program.steps), ansor.encode(program.steps)) << entry.name;
      ++n_programs;
    }
  });
  EXPECT_EQ(n_programs, 470);
}

}  // namespace
}  // namespace hone::space
