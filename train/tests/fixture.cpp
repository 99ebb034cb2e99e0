#include "train/tests/fixture.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "record/hds/writer.h"

namespace hone::train {
namespace {

// Ragged rows as they are collected.
struct Rows {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<float> values;
  int columns;

  void end_owner() { offsets.push_back(values.size() / columns); }
};

void write(record::hds::Writer& writer, const std::string& name, const Rows& rows,
           const std::string& info) {
  writer.array("feature." + name + ".offsets", rows.offsets);
  writer.array("feature." + name + ".values", rows.values);
  writer.text("feature." + name + ".info", info);
}

}  // namespace

void write_made_up_set(const std::string& path, const MadeUp& made_up) {
  Random random(made_up.seed, 0);
  std::vector<std::string> keys, structures, steps;
  std::vector<std::uint32_t> task_of;
  std::vector<std::uint8_t> status;
  std::vector<float> best;
  std::vector<double> repeats;
  std::vector<std::uint64_t> repeat_offsets = {0};
  Rows tlp{.values = {}, .columns = 22}, statements{.values = {}, .columns = made_up.statement_columns},
      primitives{.values = {}, .columns = 5}, context{.values = {}, .columns = 3},
      embedding{.values = {}, .columns = 9}, summary{.values = {}, .columns = 4},
      machine{.values = {}, .columns = 2};
  for (int task = 0; task < made_up.tasks; ++task) {
    keys.push_back("[\"task\", " + std::to_string(task) + "]");
    structures.push_back("structure " + std::to_string(task % made_up.structures));
    for (int i = 0; i < 3; ++i) context.values.push_back(static_cast<float>(task + i));
    context.end_owner();
    // The second column says nothing.
    machine.values.insert(machine.values.end(), {static_cast<float>(made_up.machine_weight), 5});
    machine.end_owner();
    for (int i = 0; i < 9; ++i) embedding.values.push_back(static_cast<float>((task + i) % 2));
    embedding.end_owner();
    for (int program = 0; program < made_up.programs; ++program) {
      double slowness = 0;
      const auto add = [&](Rows& rows, int count) {
        for (int row = 0; row < count; ++row)
          for (int column = 0; column < rows.columns; ++column)
            slowness += rows.values.emplace_back(static_cast<float>(random.unit())) *
                        (column == 1 ? made_up.machine_weight : 0);
        rows.end_owner();
      };
      add(tlp, 3 + program % 4);
      add(statements, 1 + program % 3);
      add(primitives, 3 + program % 4);
      for (int i = 0; i < summary.columns; ++i)
        summary.values.push_back(static_cast<float>((program + i) % 3));  // of no use
      summary.end_owner();
      const bool failed =
          (made_up.failures && program % 7 == 6) || (made_up.hopeless && task + 1 == made_up.tasks);
      if (made_up.changed.count(static_cast<std::uint32_t>(task_of.size())) != 0)
        slowness = 3 - slowness;
      steps.push_back("steps " + std::to_string(program));
      task_of.push_back(static_cast<std::uint32_t>(task));
      status.push_back(failed ? 4 : 0);
      best.push_back(failed ? NAN : static_cast<float>(1e-3 * std::exp(slowness)));
      if (!failed) repeats.insert(repeats.end(), {best.back(), best.back() * 1.5});
      repeat_offsets.push_back(repeats.size());
    }
  }
  record::hds::Writer writer(path);
  writer.strings("task.key", keys);
  writer.strings("task.target", std::vector<std::string>(keys.size(), "llvm -keys=cpu"));
  writer.strings("task.structure", structures);
  writer.strings("task.machine", std::vector<std::string>(keys.size(), made_up.machine));
  writer.strings("program.steps", steps);
  writer.array("program.task", task_of);
  writer.array("program.status", status);
  writer.array("program.best", best);
  writer.array("program.times.offsets", repeat_offsets);
  writer.array("program.times.values", repeats);
  write(writer, "tlp", tlp, "1 22 program 25");
  write(writer, "statements", statements,
        "1 " + std::to_string(made_up.statement_columns) + " program");
  write(writer, "primitives", primitives, "1 5 program");
  write(writer, "context", context, "1 3 task");
  write(writer, "summary", summary, "1 4 program");
  write(writer, "embedding", embedding, "1 9 task");
  write(writer, "machine", machine, "1 2 task");
  writer.finish();
}

std::string temporary_file(const std::string& name) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  return testing::TempDir() + "hone_train_" + test.test_suite_name() + "_" + test.name() + "_" + name;
}

}  // namespace hone::train
