#include "base/json_object.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json.h"

namespace hone {
namespace {

std::string print_number(double value) {
  return std::isfinite(value) ? fmt::format("{}", value) : "null";
}

}  // namespace

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
  return add_json(name, print_number(value));
}

JsonObject& JsonObject::add(std::string_view name, const std::vector<double>& values) {
  std::string list;
  append_json_list(list, values, [](std::string& out, double value) { out += print_number(value); });
  return add_json(name, list);
}

JsonObject& JsonObject::add(std::string_view name, const std::vector<std::string>& texts) {
  std::string list;
  append_json_list(list, texts, append_json_string);
  return add_json(name, list);
}

}  // namespace hone
