#include "feature/names.h"

#include <gtest/gtest.h>

#include <set>

namespace hone::feature {
namespace {

TEST(StatementNames, NameEveryColumnOnce) {
  const auto& names = statement_names();
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kStatementColumns));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
  EXPECT_EQ(names[57], "B0.acc_type.read");
  EXPECT_EQ(names[147], "arith_intensity_curve_0");
}

}  // namespace
}  // namespace hone::feature
