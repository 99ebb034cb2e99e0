#include "base/json_object.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/json.h"

namespace hone {
namespace {

TEST(JsonObject, WritesFieldsInOrder) {
  EXPECT_EQ(JsonObject().text(), "{}");
  EXPECT_EQ(JsonObject()
                .add("a", 1)
                .add("b", 0.1)
                .add("c", "x\"y")
                .add("d", true)
                .add("e", std::nan(""))
                .add_json("f", "[1, 2]")
                .text(),
            R"({"a": 1, "b": 0.1, "c": "x\"y", "d": true, "e": null, "f": [1, 2]})");
}

TEST(JsonCursor, StepsOverFieldsThatNobodyKnows) {
  JsonCursor json(R"({"x": [1, {"y": "z"}, null], "a": 7, "b": {"c": [true, false, -1.5e3]}})");
  std::int64_t value = 0;
  json.object([&](std::string_view name) {
    if (name == "a") value = json.integer(0, 9, "a");
    return name == "a";
  });
  json.expect_end();
  EXPECT_EQ(value, 7);
}

TEST(JsonCursor, RefusesNestingWithoutEnd) {
  JsonCursor json(
      std::string_view("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["));
  EXPECT_THROW(json.skip(), UserError);
}

}  // namespace
}  // namespace hone
