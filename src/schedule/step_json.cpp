#include "schedule/step_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"
#include "base/match.h"

namespace hone::schedule {
namespace {

// The longest in public logs: 70 steps a program, 30 iterators a list.
constexpr std::size_t kMaxSteps = 4096;
constexpr std::size_t kMaxList = 256;
constexpr std::size_t kTypicalStepBytes = 32;  // of text
constexpr std::size_t kShownBytes = 24;        // of an unknown code
constexpr int kMaxInt = std::numeric_limits<int>::max();

int next_int(JsonCursor& json, int min, int max, const char* what) {
  json.expect(',');
  return static_cast<int>(json.integer(min, max, what));
}
int next_id(JsonCursor& json, const char* what) { return next_int(json, 0, kMaxInt, what); }
bool next_flag(JsonCursor& json, const char* what) { return next_int(json, 0, 1, what) != 0; }

std::string next_string(JsonCursor& json, const char* what) {
  json.expect(',');
  return json.string(what);
}

// Reads into a buffer on the stack first: one allocation of the right size a list.
template <class Item>
std::vector<Item> next_list(JsonCursor& json, std::int64_t max, const char* what) {
  json.expect(',');
  std::int64_t items[kMaxList];
  std::size_t count = 0;
  json.list([&] {
    if (count == kMaxList)
      json.fail(fmt::format("more than {} entries in a list ({})", kMaxList, what));
    items[count++] = json.integer(0, max, what);
  });
  return {items, items + count};
}

std::vector<int> next_ids(JsonCursor& json, const char* what) {
  return next_list<int>(json, kMaxInt, what);
}

Step read_split(JsonCursor& json, int stage) {
  const auto known = [](std::int64_t extent) {
    return extent == 0 ? std::nullopt : std::optional(extent);
  };
  Split split{.stage = stage, .iter = next_id(json, "iterator id"), .extent = {}, .lengths = {}};
  json.expect(',');
  split.extent = known(json.integer(0, kMaxExtent, "extent"));
  split.lengths = next_list<std::optional<std::int64_t>>(json, kMaxExtent, "length");
  std::int64_t product = 1;
  for (auto& length : split.lengths) {
    length = known(*length);
    product *= length.value_or(1);
    if (product > kMaxExtent)
      json.fail(fmt::format("the lengths multiply to more than {}", kMaxExtent));
  }
  split.inner_to_outer = next_flag(json, "inner_to_outer");
  return split;
}

// The letters as one number, which compares faster than text.
constexpr std::uint32_t packed(std::string_view code) {
  std::uint32_t bytes = 0;
  for (const char letter : code) bytes = bytes << 8 | static_cast<unsigned char>(letter);
  return code.size() <= sizeof bytes ? bytes : 0;
}

struct Kind {
  std::string_view code;
  Step (*read)(JsonCursor&, int stage);
  std::uint32_t letters = packed(code);
};

// In the order of Step's alternatives. Braces evaluate their entries left to right.
constexpr std::array<Kind, std::variant_size_v<Step>> kKinds{{
    {"AN",
     [](JsonCursor& json, int stage) -> Step {
       const int iter = next_id(json, "iterator id");
       const int last = static_cast<int>(ir::LoopKind::Tensorized);
       return Annotate{stage, iter, static_cast<ir::LoopKind>(next_int(json, 0, last, "annotation"))};
     }},
    {"FU",
     [](JsonCursor& json, int stage) -> Step { return Fuse{stage, next_ids(json, "iterator id")}; }},
    {"PR",
     [](JsonCursor& json, int stage) -> Step {
       return Pragma{stage, next_id(json, "iterator id"), next_string(json, "pragma")};
     }},
    {"RE",
     [](JsonCursor& json, int stage) -> Step { return Reorder{stage, next_ids(json, "iterator id")}; }},
    {"SP", read_split},
    {"FSP",
     [](JsonCursor& json, int stage) -> Step {
       return FollowSplit{stage, next_id(json, "iterator id"), next_id(json, "source step"),
                          next_id(json, "n_split")};
     }},
    {"FFSP",
     [](JsonCursor& json, int stage) -> Step {
       return FollowFusedSplit{stage, next_id(json, "iterator id"), next_ids(json, "source step"),
                               next_id(json, "level"), next_flag(json, "factor_or_nparts")};
     }},
    {"SA",
     [](JsonCursor& json, int stage) -> Step {
       return StorageAlign{stage, next_id(json, "iterator id"), next_id(json, "factor"),
                           next_id(json, "offset")};
     }},
    {"CA",
     [](JsonCursor& json, int stage) -> Step {
       return ComputeAt{stage, next_id(json, "target stage id"), next_id(json, "target iterator id")};
     }},
    {"CI", [](JsonCursor&, int stage) -> Step { return ComputeInline{stage}; }},
    {"CR", [](JsonCursor&, int stage) -> Step { return ComputeRoot{stage}; }},
    {"CHR",
     [](JsonCursor& json, int stage) -> Step {
       return CacheRead{stage, next_string(json, "scope"), next_ids(json, "reader stage id")};
     }},
    {"CHW",
     [](JsonCursor& json, int stage) -> Step { return CacheWrite{stage, next_string(json, "scope")}; }},
    {"RF",
     [](JsonCursor& json, int stage) -> Step {
       return Rfactor{stage, next_id(json, "iterator id"), next_id(json, "factor iterator id")};
     }},
    {"PF",
     [](JsonCursor& json, int stage) -> Step {
       return Prefetch{stage, next_id(json, "iterator id"), next_id(json, "operand stage id"),
                       next_id(json, "iterations")};
     }},
}};

Step read_step(JsonCursor& json, std::string_view& code) {
  json.expect('[');
  code = json.word("step kind");
  const std::uint32_t letters = packed(code);
  for (const Kind& kind : kKinds) {
    if (kind.letters != letters) continue;
    Step step = kind.read(json, next_id(json, "stage id"));
    json.expect(']');
    return step;
  }
  json.fail("unknown step kind");
}

void put(std::string& out, std::int64_t value) { append_json_integer(out, value); }
void put(std::string& out, const std::string& text) { append_json_string(out, text); }
void put(std::string& out, std::optional<std::int64_t> extent) { put(out, extent.value_or(0)); }
template <class Item>
void put(std::string& out, const std::vector<Item>& items) {
  append_json_list(out, items, [](std::string& list, const Item& item) { put(list, item); });
}

void append_step(std::string& out, const Step& step) {
  out.append("[\"").append(code_of(step)).append("\"");
  const auto fields = [&](const auto&... values) { ((out += ", ", put(out, values)), ...); };
  match(
      step, [&](const Annotate& s) { fields(s.stage, s.iter, static_cast<int>(s.annotation)); },
      [&](const Fuse& s) { fields(s.stage, s.iters); },
      [&](const Pragma& s) { fields(s.stage, s.iter, s.text); },
      [&](const Reorder& s) { fields(s.stage, s.order); },
      [&](const Split& s) { fields(s.stage, s.iter, s.extent, s.lengths, s.inner_to_outer); },
      [&](const FollowSplit& s) { fields(s.stage, s.iter, s.source_step, s.n_split); },
      [&](const FollowFusedSplit& s) { fields(s.stage, s.iter, s.source_steps, s.level, s.factor); },
      [&](const StorageAlign& s) { fields(s.stage, s.iter, s.factor, s.offset); },
      [&](const ComputeAt& s) { fields(s.stage, s.target_stage, s.target_iter); },
      [&](const ComputeInline& s) { fields(s.stage); }, [&](const ComputeRoot& s) { fields(s.stage); },
      [&](const CacheRead& s) { fields(s.stage, s.scope, s.readers); },
      [&](const CacheWrite& s) { fields(s.stage, s.scope); },
      [&](const Rfactor& s) { fields(s.stage, s.iter, s.factor_iter); },
      [&](const Prefetch& s) { fields(s.stage, s.iter, s.operand, s.iterations); });
  out += ']';
}

}  // namespace

std::string_view code_of(const Step& step) { return kKinds[step.index()].code; }

Steps read_steps(JsonCursor& json) {
  Steps steps;
  steps.reserve(std::min(kMaxSteps, json.bytes_left() / kTypicalStepBytes));
  std::string_view code;
  try {
    json.list([&] {
      code = "?";
      if (steps.size() == kMaxSteps) json.fail(fmt::format("more than {} steps", kMaxSteps));
      steps.push_back(read_step(json, code));
    });
  } catch (const UserError& error) {
    throw UserError(
        fmt::format("step {} ({}): {}", steps.size(), code.substr(0, kShownBytes), error.what()));
  }
  return steps;
}

void append_json(std::string& out, const Steps& steps) { append_json_list(out, steps, append_step); }

std::string to_json(const Steps& steps) {
  std::string out;
  append_json(out, steps);
  return out;
}

Steps steps_from_json(std::string_view text) {
  JsonCursor json(text);
  Steps steps = read_steps(json);
  json.expect_end();
  return steps;
}

}  // namespace hone::schedule
