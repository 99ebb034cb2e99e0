#include "base/json_object.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json.h"

namespace hone {

JsonObject& JsonObject::add_json(std::string_view name, std::string_view json) {
  text_ += text_.empty() ? "{" : ", ";
  append_json_string(text_, name);
  text_ += ": ";
  text_ += json;
  return *this;
}

JsonObject& JsonObject::add(std::string_view name, std::string_view text) {
  std::string quoted;
  append_json_string(quoted, text);
  return add_json(name, quoted);
}

JsonObject& JsonObject::add(std::string_view name, double value) {
  return add_json(name, std::isfinite(value) ? fmt::format("{}", value) : "null");
}

}  // namespace hone
