// Where tests find the data that is not part of the repository, and where they put their own files.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace hone {

inline std::string setting_or(const char* variable, const std::string& otherwise) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0' ? value : otherwise;
}
inline std::string shared_file(const std::string& path) {
  return setting_or("HONE_SHARED", HONE_SOURCE_DIR "/../shared") + "/" + path;
}
inline std::string oracle_file() {
  return setting_or("HONE_ORACLE", shared_file("oracle/ansor_v019.jsonl.gz"));
}
// Of the running test alone: ctest may run several at once.
inline std::string temporary_file(const std::string& name) {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::string file = std::string("hone_") + test.test_suite_name() + "_" + test.name() + "_" + name;
  std::ranges::replace(file, '/', '_');  // tests with parameters have it in their names
  return testing::TempDir() + file;
}

}  // namespace hone

// Ends the test when what it needs is not there: a failure in CI, elsewhere a counted skip.
#define HONE_REQUIRE(is_there, message)                  \
  if (!(is_there)) {                                     \
    if (std::getenv("CI") != nullptr) FAIL() << message; \
    GTEST_SKIP() << message;                             \
  }                                                      \
  static_assert(true, "asks for a semicolon")

#define HONE_REQUIRE_FILE(path)               \
  HONE_REQUIRE(std::filesystem::exists(path), \
               (path) << " is missing; HONE_SHARED says where shared data lies")
