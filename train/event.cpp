#include "train/event.h"

#include <cmath>

#include "base/json.h"

namespace hone::train {

Event::Event(std::string_view name) { add("event", name); }

void Event::key(std::string_view name) {
  if (text_.size() > 1) text_ += ", ";
  append_json_string(text_, name);
  text_ += ": ";
}

Event& Event::add(std::string_view name, std::string_view text) {
  key(name);
  append_json_string(text_, text);
  return *this;
}

Event& Event::add(std::string_view name, double value) {
  key(name);
  if (std::isfinite(value))
    append_json_number(text_, value);
  else
    text_ += "null";
  return *this;
}

Event& Event::add(std::string_view name, std::int64_t value) {
  key(name);
  append_json_integer(text_, value);
  return *this;
}

}  // namespace hone::train
