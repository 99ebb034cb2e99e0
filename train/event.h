// One line of progress: a JSON object that programs read and `hone train` shows to people.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hone::train {

class Event {
 public:
  explicit Event(std::string_view name);
  Event& add(std::string_view name, std::string_view text);
  Event& add(std::string_view name, const char* text) { return add(name, std::string_view(text)); }
  Event& add(std::string_view name, double value);  // null when it is not finite
  Event& add(std::string_view name, std::int64_t value);
  std::string line() const { return text_ + "}\n"; }

 private:
  void key(std::string_view name);
  std::string text_ = "{";
};

using Listener = std::function<void(const Event&)>;

}  // namespace hone::train
