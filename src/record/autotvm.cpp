#include "record/autotvm.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/json.h"

namespace hone::record {
namespace {

using schedule::Knob;
using schedule::KnobKind;

constexpr std::size_t kMaxKnobs = 256, kMaxList = 1024;
constexpr int kLastError = 8;
constexpr std::int64_t kMaxNumber = 999'999'999'999'999'999;

// A value of whatever kind, as it is spelled.
std::string_view raw_value(JsonCursor& json, std::string_view line) {
  const std::size_t begin = line.size() - json.bytes_left();
  json.skip();
  return line.substr(begin, line.size() - json.bytes_left() - begin);
}

// The number when the text is nothing but a whole one of at most 18 digits.
bool is_integer(std::string_view text, std::int64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && std::abs(value) <= kMaxNumber;
}

std::vector<std::int64_t> read_numbers(JsonCursor& json) {
  std::vector<std::int64_t> numbers;
  json.list([&] {
    if (numbers.size() == kMaxList) json.fail("a knob has too many entries");
    numbers.push_back(json.integer(-kMaxNumber, kMaxNumber, "entry of a knob"));
  });
  return numbers;
}

std::vector<std::string> read_words(JsonCursor& json) {
  std::vector<std::string> words;
  json.list([&] {
    if (words.size() == kMaxList) json.fail("a knob has too many entries");
    words.push_back(json.string("entry of a knob"));
  });
  return words;
}

// What a knob of the kind "ot" may be: a number, true, false, a string.
void read_other(JsonCursor& json, std::string_view line, Knob& knob) {
  const std::string_view text = raw_value(json, line);
  if (std::int64_t number = 0; is_integer(text, number)) {
    knob.kind = KnobKind::Number;
    knob.numbers = {number};
  } else if (text == "true" || text == "false") {
    knob.kind = KnobKind::Flag;
    knob.numbers = {text == "true"};
  } else if (text.starts_with('"')) {
    knob.kind = KnobKind::Word;
    knob.words = {JsonCursor(text).string("knob")};
  } else {
    knob.kind = KnobKind::Other;
    knob.words = {std::string(text)};
  }
}

// ["tile_x", "sp", [-1, 512, 64, 2]]
Knob read_knob(JsonCursor& json, std::string_view line) {
  Knob knob;
  json.expect('[');
  knob.name = json.string("name of a knob");
  json.expect(',');
  const std::string_view kind = json.word("kind of a knob");
  json.expect(',');
  if (kind == "sp" || kind == "re") {
    knob.kind = kind == "sp" ? KnobKind::Split : KnobKind::Reorder;
    knob.numbers = read_numbers(json);
  } else if (kind == "an") {
    knob.kind = KnobKind::Annotate;
    knob.words = read_words(json);
  } else if (kind == "ot") {
    read_other(json, line, knob);
  } else {
    json.fail(fmt::format("unknown kind of knob `{}`", kind.substr(0, 24)));
  }
  json.expect(']');
  return knob;
}

// [target, template, [arguments], {named arguments}]
void read_input(JsonCursor& json, std::string_view line, KnobRecord& record) {
  json.expect('[');
  record.target = json.string("target");
  json.expect(',');
  const std::size_t begin = line.size() - json.bytes_left();
  json.string("template");
  json.expect(',');
  if (!raw_value(json, line).starts_with('[')) json.fail("the arguments are no list");
  json.expect(',');
  if (!raw_value(json, line).starts_with('{')) json.fail("the named arguments are no object");
  const std::size_t end = line.size() - json.bytes_left();
  record.workload_key = fmt::format("[{}]", line.substr(begin, end - begin));
  json.expect(']');
}

void read_config(JsonCursor& json, std::string_view line, KnobRecord& record) {
  bool has_index = false, has_knobs = false;
  json.object([&](std::string_view name) {
    if (name == "index") {
      has_index = true;
      record.index = json.integer(-kMaxNumber, kMaxNumber, "index");
    } else if (name == "code_hash") {
      const std::string_view text = raw_value(json, line);
      if (text != "null") record.code_hash = JsonCursor(text).string("code hash");
    } else if (name == "entity") {
      has_knobs = true;
      json.list([&] {
        if (record.knobs.size() == kMaxKnobs) json.fail("too many knobs");
        record.knobs.push_back(read_knob(json, line));
      });
    } else {
      return false;
    }
    return true;
  });
  if (!has_index || !has_knobs) json.fail("the config lacks its index or its knobs");
}

double read_seconds(JsonCursor& json, const char* what) {
  const double seconds = json.number(what);
  if (seconds < 0) json.fail(fmt::format("{} is negative", what));
  return seconds;
}

// [[costs], error, all_cost, timestamp]
void read_result(JsonCursor& json, KnobRecord& record) {
  json.expect('[');
  json.list([&] {
    if (record.costs.size() == kMaxList) json.fail("too many costs");
    record.costs.push_back(read_seconds(json, "cost"));
  });
  json.expect(',');
  record.error = static_cast<int>(json.integer(0, kLastError, "error number"));
  json.expect(',');
  record.all_cost = read_seconds(json, "all_cost");
  json.expect(',');
  record.timestamp = read_seconds(json, "timestamp");
  json.expect(']');
}

// The shortest digits that read back as the same number, with the exponents of Python's repr.
void append_python_number(std::string& out, double value) {
  if (value != 0 && (value < 1e-4 || value >= 1e16)) {
    char digits[32];
    const auto end =
        std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::scientific).ptr;
    out.append(digits, end);
    return;
  }
  char digits[64];
  const auto end =
      std::to_chars(std::begin(digits), std::end(digits), value, std::chars_format::fixed).ptr;
  const std::string_view text(digits, static_cast<std::size_t>(end - digits));
  out += text;
  if (text.find('.') == std::string_view::npos) out += ".0";
}

void append_knob(std::string& out, const Knob& knob) {
  constexpr const char* kCodes[] = {"sp", "re", "an", "ot", "ot", "ot", "ot"};
  out += '[';
  append_json_string(out, knob.name);
  out.append(", \"").append(kCodes[static_cast<int>(knob.kind)]).append("\", ");
  switch (knob.kind) {
    case KnobKind::Split:
    case KnobKind::Reorder:
      append_json_list(out, knob.numbers, append_json_integer);
      break;
    case KnobKind::Annotate:
      append_json_list(out, knob.words, append_json_string);
      break;
    case KnobKind::Number:
      append_json_integer(out, knob.numbers.at(0));
      break;
    case KnobKind::Flag:
      out += knob.numbers.at(0) != 0 ? "true" : "false";
      break;
    case KnobKind::Word:
      append_json_string(out, knob.words.at(0));
      break;
    case KnobKind::Other:
      out += knob.words.at(0);
      break;
  }
  out += ']';
}

std::string fields_of(const KnobRecord& record) {
  std::string out = "{\"input\": [";
  append_json_string(out, record.target);
  out += ", ";
  out += std::string_view(record.workload_key).substr(1, record.workload_key.size() - 2);
  out += "], \"config\": {\"index\": ";
  append_json_integer(out, record.index);
  out += ", \"code_hash\": ";
  record.code_hash.empty() ? void(out += "null") : append_json_string(out, record.code_hash);
  out += ", \"entity\": ";
  append_json_list(out, record.knobs, append_knob);
  out += "}, \"result\": [";
  append_json_list(out, record.costs, append_python_number);
  out += ", ";
  append_json_integer(out, record.error);
  out += ", ";
  append_python_number(out, record.all_cost);
  out += ", ";
  append_python_number(out, record.timestamp);
  out += "], \"version\": 0.2";
  if (!record.tvm_version.empty()) {
    out += ", \"tvm_version\": ";
    append_json_string(out, record.tvm_version);
  }
  return out + "}";
}

}  // namespace

bool is_autotvm(std::string_view line) {
  return line.starts_with("{\"input\"") || line.starts_with("{\"config\"");
}

KnobRecord knobs_from_line(std::string_view line) {
  KnobRecord record;
  JsonCursor json(line);
  bool has_input = false, has_config = false, has_result = false, has_version = false;
  json.object([&](std::string_view name) {
    if (name == "input") {
      has_input = true;
      read_input(json, line, record);
    } else if (name == "config") {
      has_config = true;
      read_config(json, line, record);
    } else if (name == "result") {
      has_result = true;
      read_result(json, record);
    } else if (name == "version") {
      has_version = true;
      if (json.number("version") != 0.2) json.fail("the log version is not 0.2");
    } else if (name == "tvm_version") {
      record.tvm_version = json.string("tvm_version");
    } else {
      return false;
    }
    return true;
  });
  json.expect_end();
  if (!has_input || !has_config || !has_result || !has_version)
    throw UserError("one of input, config, result and version is missing");
  if (fields_of(record) != line) record.spelling = line;
  return record;
}

std::string to_line(const KnobRecord& record) {
  return record.spelling.empty() ? fields_of(record) : record.spelling;
}

}  // namespace hone::record
