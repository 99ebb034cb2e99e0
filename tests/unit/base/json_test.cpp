#include "base/json.h"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "base/error.h"

namespace hone {
namespace {

std::string message_of(auto&& act) {
  try {
    act();
  } catch (const UserError& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST(JsonCursor, ReadsNestedListsWithAnySpacing) {
  JsonCursor json(" [ 1 ,[ ],\t[-2 , 3] ] ");
  std::vector<std::int64_t> inner;
  json.expect('[');
  EXPECT_EQ(json.integer(0, 9, "first"), 1);
  for (int i = 0; i < 2; ++i) {
    json.expect(',');
    json.list([&] { inner.push_back(json.integer(-9, 9, "inner")); });
  }
  json.expect(']');
  json.expect_end();
  EXPECT_EQ(inner, (std::vector<std::int64_t>{-2, 3}));
  EXPECT_FALSE(json.is_canonical());
}

TEST(JsonCursor, IntegersAreWholeAndInRange) {
  const auto read = [](const char* text) {
    return message_of([&] { JsonCursor(text).integer(0, 100, "size"); });
  };
  EXPECT_EQ(read("100"), "nothing was thrown");
  EXPECT_EQ(read("101"), "column 1: size is 101, which is not between 0 and 100");
  EXPECT_EQ(read("-1"), "column 1: size is -1, which is not between 0 and 100");
  EXPECT_EQ(read("99999999999999999999999999"),
            "column 1: size is 999999999999999999999999, which is not between 0 and 100");
  EXPECT_EQ(read("1.5"), "column 1: size is `1.5`, which is not an integer");
  EXPECT_EQ(read("1e3"), "column 1: size is `1e3`, which is not an integer");
  EXPECT_EQ(read("\"1\""), "column 1: expected an integer (size), found `\"1\"`");
  EXPECT_EQ(read(""), "column 1: the text ends where an integer (size) is expected");
  EXPECT_NE(read("007"), "nothing was thrown");
  EXPECT_NE(read("-"), "nothing was thrown");
}

TEST(JsonCursor, StringsAreUnescaped) {
  EXPECT_EQ(JsonCursor(R"("a\"\\\/\n\t\u0041\u00e9\u20ac\ud83d\ude00")").string("text"),
            "a\"\\/\n\tA\u00e9\u20ac\U0001F600");
  EXPECT_EQ(JsonCursor("\"SP\"").word("kind"), "SP");
  for (const char* bad : {"\"open", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\ud83d\"", "\"a\nb\"", "17"})
    EXPECT_NE(message_of([&] { JsonCursor(bad).string("text"); }), "nothing was thrown") << bad;
}

TEST(JsonCursor, StringsComeBackAsWritten) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  std::string text;
  append_json_string(text, all);
  EXPECT_EQ(JsonCursor(text).string("text"), all);
}

// A stream is the judge of which spellings of a number are canonical.
TEST(JsonCursor, NumbersAreCanonicalExactlyWhenAStreamPrintsThemSo) {
  std::vector<std::string> spellings = {
      "0",     "0.0",     "1.",     "00.5",   "0.50",         "1e+10", "1e10",    "1.0e+10", "1e-5",
      "1e-05", "0.00001", "0.0001", "1e-4",   "1e-04",        "1e+05", "1e+06",   "1000000", "100000",
      "10e5",  "0.1e-05", "1E+10",  "1e+006", "0.0001234567", "0e+0",  "9.9e+99", "1.23457"};
  for (const std::string digits :
       {"1", "12", "123456", "1234567", "999999", "9999995", "100000", "120"})
    for (std::size_t point = 0; point <= digits.size(); ++point)
      for (const char* exponent : {"", "e-07", "e-05", "e-04", "e+00", "e+05", "e+06", "e+12", "e+7"})
        for (const char* lead : {"", "0", "0.", "0.000", "0.0000"})
          spellings.push_back(lead + digits.substr(0, point) + "." + digits.substr(point) + exponent);
  int canonical = 0;
  for (const std::string& spelling : spellings) {
    JsonCursor json(spelling);
    double value = 0;
    try {
      value = json.number("value");
      json.expect_end();
    } catch (const UserError&) {
      continue;
    }
    std::ostringstream stream;
    stream << value;
    std::string written;
    append_json_number(written, value);
    EXPECT_EQ(written, stream.str()) << spelling;
    EXPECT_EQ(json.is_canonical(), written == spelling) << spelling;
    canonical += json.is_canonical();
  }
  EXPECT_GT(canonical, 30);
}

TEST(JsonCursor, RefusesNumbersThatAreNone) {
  for (const char* bad : {"", "-", "inf", "nan", "-inf", "1e999", "x", "+1", ".5"})
    EXPECT_NE(message_of([&] { JsonCursor(bad).number("value"); }), "nothing was thrown") << bad;
}

}  // namespace
}  // namespace hone
