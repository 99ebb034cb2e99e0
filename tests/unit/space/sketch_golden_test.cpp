// Golden sketches: tests/golden/sketch/*.test, each a task for which one rule matters.
// HONE_UPDATE_GOLDEN=1 writes the sketches of now.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "schedule/step_json.h"
#include "space/sketch.h"
#include "task/catalogue.h"
#include "task/text.h"
#include "tests/unit/space/machines.h"

namespace hone::space {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> golden_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(HONE_SOURCE_DIR) / "tests/golden/sketch")) {
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// # comment lines, `rule NAME`, `machine cpu|gpu`, `op OP` or the task's DAG, ----, the sketches.
struct Golden {
  std::string head, rule, machine, op, dag, sketches;
};

Golden read(const fs::path& path) {
  Golden golden;
  std::ifstream file(path);
  std::string line;
  const auto take = [&](std::string_view key, std::string& value) {
    if (!line.starts_with(key)) return false;
    value = line.substr(key.size());
    return true;
  };
  while (std::getline(file, line) && line != "----") {
    golden.head += line + "\n";
    if (line.starts_with('#') || take("rule ", golden.rule) || take("machine ", golden.machine) ||
        take("op ", golden.op)) {
      continue;
    }
    golden.dag += line + "\n";
  }
  while (std::getline(file, line)) golden.sketches += line + "\n";
  return golden;
}

std::string text_of(const std::vector<Sketch>& sketches) {
  std::string text;
  for (std::size_t i = 0; i < sketches.size(); ++i) {
    text += "sketch " + std::to_string(i) + "\n";
    for (const schedule::Step& step : sketches[i].steps) {
      const std::string list = schedule::to_json({step});
      text += "  " + list.substr(1, list.size() - 2) + "\n";
    }
  }
  return text;
}

class SketchGolden : public testing::TestWithParam<fs::path> {};

TEST_P(SketchGolden, IsMadeWithTheRuleAndNotWithoutIt) {
  const Golden golden = read(GetParam());
  const auto task = std::make_shared<const task::Task>(golden.op.empty() ? task::parse(golden.dag)
                                                                         : task::from_op(golden.op));
  ASSERT_TRUE(golden.machine == "cpu" || golden.machine == "gpu") << golden.machine;
  const Hardware hardware = golden.machine == "gpu" ? volta() : four_cores();
  const std::string text = text_of(sketches(task, hardware));

  std::vector<Rule> others = ansor_rules(hardware.kind);
  const auto n_removed = std::erase_if(others, [&](const Rule& r) { return r.name == golden.rule; });
  EXPECT_EQ(n_removed, 1U) << golden.rule;
  EXPECT_NE(text_of(sketches_by(others, task, hardware, usual_tile_levels(hardware.kind))), text);

  if (std::getenv("HONE_UPDATE_GOLDEN")) {
    std::ofstream(GetParam()) << golden.head << "----\n" << text;
    return;
  }
  EXPECT_EQ(text, golden.sketches);
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) { return info.param.stem().string(); }

INSTANTIATE_TEST_SUITE_P(Golden, SketchGolden, testing::ValuesIn(golden_files()), name_of);

TEST(SketchRules, EachHasAGoldenTest) {
  std::vector<std::string> tested;
  for (const fs::path& path : golden_files()) tested.push_back(read(path).rule);
  for (const auto kind : {Hardware::Kind::Cpu, Hardware::Kind::Gpu}) {
    for (const Rule& rule : ansor_rules(kind)) {
      EXPECT_NE(std::ranges::find(tested, rule.name), tested.end()) << rule.name;
    }
  }
}

}  // namespace
}  // namespace hone::space
