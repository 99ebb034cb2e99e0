// Artefacts run in programs that have nothing of hone but its installed runtime.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/unit/artefact/run_small_network.h"

namespace hone::artefact {
namespace {

namespace fs = std::filesystem;

struct Ended {
  int status;
  std::string output;
};

Ended execute(const std::string& command) {
  Ended ended{-1, ""};
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) {
    ended.output.append(part.data(), size);
  }
  ended.status = pclose(pipe);
  return ended;
}

template <class T>
std::vector<T> read_values(const fs::path& path, std::size_t count) {
  std::vector<T> values(count);
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
  EXPECT_TRUE(file.good()) << path;
  return values;
}

class Install : public testing::Test {
 protected:
  void SetUp() override {
    if (HONE_IS_SANITIZED) GTEST_SKIP() << "a sanitizer build is not installed";
    folder_ = temporary_file("prefix");
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(Install, ExamplesRunWhatWasWritten) {
  const Ended built =
      execute(HONE_SOURCE_DIR "/tests/unit/artefact/install_examples.sh " HONE_SOURCE_DIR
                              " " HONE_BUILD_DIR " " +
              folder_.string());
  ASSERT_EQ(built.status, 0) << built.output;

  const std::string model = write_small_network();
  const std::vector<float> x = SmallNetwork::input();
  std::ofstream(folder_ / "x", std::ios::binary)
      .write(reinterpret_cast<const char*>(x.data()), std::ssize(x) * 4);
  for (const char* program : {"c/run_model", "run_model_static"}) {
    std::string command = (folder_ / program).string() + " " + model;
    for (const char* file : {"x", "y", "z", "best", "places"})
      command += " " + (folder_ / file).string();
    const Ended ran = execute(command);
    ASSERT_EQ(ran.status, 0) << ran.output;
    EXPECT_NE(ran.output.find("output places [8, 3] 192 bytes"), std::string::npos) << ran.output;
    SmallNetwork::Answer answer;
    answer.y = read_values<float>(folder_ / "y", answer.y.size());
    answer.z = read_values<float>(folder_ / "z", answer.z.size());
    answer.best = read_values<float>(folder_ / "best", answer.best.size());
    answer.places = read_values<std::int64_t>(folder_ / "places", answer.places.size());
    expect_near(answer, SmallNetwork().answer(x));
  }

  const Ended profiled = execute((folder_ / "cpp/profile_model").string() + " " + model + " 3");
  EXPECT_EQ(profiled.status, 0);
  EXPECT_NE(profiled.output.find("3 threads, tuned for 2"), std::string::npos) << profiled.output;
  EXPECT_NE(profiled.output.find("/dense1"), std::string::npos) << profiled.output;

  const Ended refused = execute((folder_ / "cpp/profile_model").string() + " " + model + ".missing");
  EXPECT_NE(refused.status, 0);
  EXPECT_NE(refused.output.find("error: cannot open"), std::string::npos) << refused.output;
}

}  // namespace
}  // namespace hone::artefact
