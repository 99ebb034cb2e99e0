#include "feature/knob.h"

#include <array>

#include "base/error.h"
#include "base/json.h"
#include "base/match.h"

namespace hone::feature {
namespace {

constexpr std::array<std::string_view, 4> kKinds = {"sp", "re", "an", "ot"};  // as Knob::Kind
constexpr std::int64_t kMaxValue = std::int64_t{1} << 40;
constexpr std::size_t kMaxKnobs = 4096;

Knob::Value read_value(JsonCursor& json) {
  if (json.is_next('"')) return json.string("value of a knob");
  return json.integer(-kMaxValue, kMaxValue, "value of a knob");
}

Knob read_knob(JsonCursor& json) {
  Knob knob;
  json.expect('[');
  knob.name = json.string("name of a knob");
  json.expect(',');
  const std::string_view code = json.word("kind of a knob");
  std::size_t kind = 0;
  while (kind < kKinds.size() && kKinds[kind] != code) ++kind;
  if (kind == kKinds.size()) json.fail("unknown kind of knob");
  knob.kind = static_cast<Knob::Kind>(kind);
  json.expect(',');
  if (knob.kind == Knob::Kind::Other) {
    knob.values.push_back(read_value(json));
  } else {
    json.list([&] { knob.values.push_back(read_value(json)); });
  }
  json.expect(']');
  return knob;
}

void append(std::string& out, const Knob::Value& value) {
  match(
      value, [&](std::int64_t number) { append_json_integer(out, number); },
      [&](const std::string& text) { append_json_string(out, text); });
}

}  // namespace

std::vector<Knob> knobs_from_json(std::string_view text) {
  JsonCursor json(text);
  std::vector<Knob> knobs;
  json.list([&] {
    if (knobs.size() == kMaxKnobs) json.fail("too many knobs");
    knobs.push_back(read_knob(json));
  });
  json.expect_end();
  return knobs;
}

std::string to_json(const std::vector<Knob>& knobs) {
  std::string out;
  append_json_list(out, knobs, [](std::string& to, const Knob& knob) {
    to += '[';
    append_json_string(to, knob.name);
    to.append(", \"").append(kKinds[static_cast<std::size_t>(knob.kind)]).append("\", ");
    if (knob.kind == Knob::Kind::Other) {
      append(to, knob.values.front());
    } else {
      append_json_list(to, knob.values, append);
    }
    to += ']';
  });
  return out;
}

}  // namespace hone::feature
