// Golden tests of the passes: tests/golden/lower/*.test, each one program before and after one pass.
// HONE_UPDATE_GOLDEN=1 writes what the pass gives now.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "ir/parse.h"
#include "ir/print.h"
#include "ir/verify.h"
#include "lower/optimise.h"

namespace hone::lower {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> golden_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(HONE_SOURCE_DIR) / "tests/golden/lower")) {
    if (entry.path().extension() == ".test") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// # comment lines, `pass NAME TARGET`, a program, ----, the program after the pass.
struct Golden {
  std::string head, pass, target, before, after;
};

Golden read(const fs::path& path) {
  Golden golden;
  std::ifstream file(path);
  std::string line;
  while (std::getline(file, line) && line.rfind("pass ", 0) != 0) golden.head += line + "\n";
  std::istringstream words(line);
  words >> line >> golden.pass >> golden.target;
  std::string* part = &golden.before;
  while (std::getline(file, line)) {
    if (line == "----") {
      part = &golden.after;
    } else {
      *part += line + "\n";
    }
  }
  return golden;
}

class PassesGolden : public testing::TestWithParam<fs::path> {};

TEST_P(PassesGolden, GivesTheExpectedProgram) {
  const Golden golden = read(GetParam());
  const auto pass = std::find_if(passes().begin(), passes().end(),
                                 [&](const Pass& p) { return p.name == golden.pass; });
  ASSERT_NE(pass, passes().end()) << "no pass " << golden.pass;
  const ir::Program before = ir::parse_program(golden.before);
  ASSERT_EQ(ir::verify(before), std::vector<std::string>());
  const ir::Program after = pass->run(before, target::parse(golden.target));
  EXPECT_EQ(ir::verify(after), std::vector<std::string>());
  const std::string text = ir::print(after);
  if (std::getenv("HONE_UPDATE_GOLDEN")) {
    std::ofstream(GetParam()) << golden.head << "pass " << golden.pass << ' ' << golden.target << '\n'
                              << golden.before << "----\n"
                              << text;
    return;
  }
  EXPECT_EQ(text, golden.after);
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) { return info.param.stem().string(); }

INSTANTIATE_TEST_SUITE_P(Golden, PassesGolden, testing::ValuesIn(golden_files()), name_of);

TEST(Passes, EveryPassHasAGoldenTest) {
  std::vector<std::string> tested;
  for (const fs::path& path : golden_files()) tested.push_back(read(path).pass);
  for (const Pass& pass : passes()) {
    EXPECT_NE(std::find(tested.begin(), tested.end(), pass.name), tested.end()) << pass.name;
  }
}

}  // namespace
}  // namespace hone::lower
