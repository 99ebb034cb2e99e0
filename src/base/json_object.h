// One JSON object, written field by field in the order given.
#pragma once
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

class JsonObject {
 public:
  JsonObject& add(std::string_view name, std::string_view text);
  JsonObject& add(std::string_view name, const char* text) { return add(name, std::string_view(text)); }
  JsonObject& add(std::string_view name, bool value) {
    return add_json(name, value ? "true" : "false");
  }
  // The shortest digits that read back as the same number; null when it is not finite.
  JsonObject& add(std::string_view name, double value);
  JsonObject& add(std::string_view name, std::integral auto value) {
    return add_json(name, std::to_string(value));
  }
  JsonObject& add(std::string_view name, const std::vector<double>& values);  // likewise
  JsonObject& add(std::string_view name, const std::vector<std::string>& texts);
  // A value that is JSON already: a list, an object.
  JsonObject& add_json(std::string_view name, std::string_view json);

  std::string text() const { return text_.empty() ? "{}" : text_ + "}"; }

 private:
  std::string text_;  // without the closing brace
};

}  // namespace hone
