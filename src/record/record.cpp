#include "record/record.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "schedule/step_json.h"

namespace hone::record {
namespace {

constexpr std::size_t kMaxList = 1024;
constexpr int kLastError = 8;
constexpr int kLastLayoutOption = 2;
constexpr std::int64_t kMaxNumber = 999'999'999'999'999'999;

template <class Item, class Read>
std::vector<Item> read_list(JsonCursor& json, std::size_t max_items, const char* what, Read read) {
  std::vector<Item> items;
  json.list([&] {
    if (items.size() == max_items)
      json.fail(fmt::format("more than {} entries in {}", max_items, what));
    items.push_back(read());
  });
  return items;
}

// How many entries the task has in each version.
int task_fields(int version) { return version == 2 ? 2 : version <= 4 ? 3 : version == 5 ? 5 : 6; }

// [key, target, [hardware], host, layout option, [inputs]]: everything after the target is optional.
// Returns how many entries there are.
int read_task(JsonCursor& json, Record& record) {
  json.expect('[');
  record.workload_key = json.string("workload key");
  json.expect(',');
  record.target = json.string("target");
  int fields = 2;
  while (json.take(',')) {
    switch (++fields) {
      case 3:
        record.hardware = read_list<std::int64_t>(
            json, kHardwareNumbers, "the hardware parameters",
            [&] { return json.integer(-kMaxNumber, kMaxNumber, "hardware parameter"); });
        break;
      case 4:
        record.target_host = json.string("target host");
        break;
      case 5:
        record.layout_option = static_cast<int>(json.integer(0, kLastLayoutOption, "layout option"));
        break;
      case 6:
        record.inputs =
            read_list<std::string>(json, kMaxList, "the inputs", [&] { return json.string("input"); });
        break;
      default:
        json.fail("a task has at most 6 entries");
    }
  }
  json.expect(']');
  return fields;
}

// [task, [[], [steps]]]; the empty list is where stages would be, which no version writes.
// Returns the number of the task's entries.
int read_input(JsonCursor& json, Record& record) {
  json.expect('[');
  const int fields = read_task(json, record);
  json.expect(',');
  json.expect('[');
  json.expect('[');
  json.expect(']');
  json.expect(',');
  record.steps = schedule::read_steps(json);
  json.expect(']');
  json.expect(']');
  return fields;
}

double read_seconds(JsonCursor& json, const char* what) {
  const double seconds = json.number(what);
  if (seconds < 0) json.fail(fmt::format("{} is negative", what));
  return seconds;
}

// [[costs], error, all_cost, timestamp]
void read_result(JsonCursor& json, Record& record) {
  json.expect('[');
  record.costs =
      read_list<double>(json, kMaxList, "the costs", [&] { return read_seconds(json, "cost"); });
  json.expect(',');
  record.error = static_cast<int>(json.integer(0, kLastError, "error number"));
  json.expect(',');
  record.all_cost = read_seconds(json, "all_cost");
  json.expect(',');
  record.timestamp = json.integer(0, kMaxNumber, "timestamp");
  json.expect(']');
}

int read_version(JsonCursor& json) {
  const std::string_view text = json.word("log version");
  const int minor = text.size() == 4 && text.substr(0, 3) == "v0." ? text[3] - '0' : -1;
  if (minor >= kFirstVersion && minor <= kLastVersion) return minor;
  json.fail(fmt::format("log version `{}` is not one of v0.{} to v0.{}", text.substr(0, 24),
                        kFirstVersion, kLastVersion));
}

void append_task(std::string& out, const Record& record) {
  out += '[';
  append_json_string(out, record.workload_key);
  out += ", ";
  append_json_string(out, record.target);
  if (record.version >= 3) {
    out += ", ";
    append_json_list(out, record.hardware, append_json_integer);
  }
  if (record.version >= 5) {
    out += ", ";
    append_json_string(out, record.target_host);
    out += ", ";
    append_json_integer(out, record.layout_option);
  }
  if (record.version >= 6) {
    out += ", ";
    append_json_list(out, record.inputs, append_json_string);
  }
  out += ']';
}

void append_fields(std::string& out, const Record& record) {
  out += "{\"i\": [";
  append_task(out, record);
  out += ", [[], ";
  schedule::append_json(out, record.steps);
  out += "]], \"r\": [";
  append_json_list(out, record.costs, append_json_number);
  out += ", ";
  append_json_integer(out, record.error);
  out += ", ";
  append_json_number(out, record.all_cost);
  out += ", ";
  append_json_integer(out, record.timestamp);
  out += "], \"v\": \"v0.";
  append_json_integer(out, record.version);
  out += "\"}";
}

}  // namespace

bool is_valid(const Record& record) { return record.error == 0 && !record.costs.empty(); }

double best_cost(const Record& record) {
  if (!is_valid(record)) return std::numeric_limits<double>::infinity();
  return *std::min_element(record.costs.begin(), record.costs.end());
}

bool is_comment(std::string_view line) {
  const bool is_ours = line.starts_with(" {");
  return line.empty() || line[0] == '#' || (line[0] == ' ' && !is_ours);
}

Record from_line(std::string_view line) {
  Record record;
  const bool is_marked = line.starts_with(' ');
  JsonCursor json(line.substr(is_marked ? 1 : 0));
  std::string keys;  // as far as read
  int fields = 0;
  json.expect('{');
  do {
    const std::string_view key = json.word("key");
    if (key == "input" || key == "config")
      throw UserError("this is a line of an AutoTVM log, not of an auto_scheduler one");
    if (key.size() != 1 || keys.find(key) != std::string::npos)
      json.fail(fmt::format("unexpected key `{}`", key.substr(0, 24)));
    keys += key;
    json.expect(':');
    switch (key[0]) {
      case 'i':
        fields = read_input(json, record);
        break;
      case 'r':
        read_result(json, record);
        break;
      case 'v':
        record.version = read_version(json);
        break;
      default:
        json.fail(fmt::format("unknown key `{}`", key));
    }
  } while (json.take(','));
  json.expect('}');
  json.expect_end();
  if (keys.size() != 3)
    throw UserError(fmt::format("only the keys `{}` of i, r and v are there", keys));
  const bool is_ours = !schedule::is_ansors(record.steps);
  if (!json.is_canonical() || keys != "irv" || fields != task_fields(record.version) ||
      is_marked != is_ours)
    record.spelling = line;
  return record;
}

std::string to_line(const Record& record) {
  if (!record.spelling.empty()) return record.spelling;
  std::string line = schedule::is_ansors(record.steps) ? "" : " ";
  append_fields(line, record);
  return line;
}

}  // namespace hone::record
