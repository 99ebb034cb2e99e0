#include "train/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/nearest.h"

namespace hone::train {
namespace {

template <class T>
T parse(const Option& option, const char* kind) {
  T value{};
  const char* end = option.value.data() + option.value.size();
  const auto [stop, error] = std::from_chars(option.value.data(), end, value);
  if (error != std::errc() || stop != end || !(value >= 0) || std::isinf(static_cast<double>(value)))
    throw UserError("option " + option.name + " is '" + option.value + "', which is not " + kind,
                    option.name + ": " + option.meaning);
  return value;
}

}  // namespace

Options Options::with(std::initializer_list<std::pair<std::string, std::string>> values) const {
  Options out = *this;
  for (const auto& [name, value] : values) out.set(name, value);
  return out;
}

Options Options::and_also(const Options& more) const {
  Options out = *this;
  out.options_.insert(out.options_.end(), more.options_.begin(), more.options_.end());
  return out;
}

void Options::set(const std::string& name, const std::string& value) {
  const auto found = std::ranges::find(options_, name, &Option::name);
  if (found == options_.end()) {
    std::vector<std::string> names;
    for (const Option& option : options_) names.push_back(option.name);
    throw UserError("there is no option '" + name + "'", did_you_mean(name, names));
  }
  found->value = value;
}

void Options::set_all(const std::vector<std::string>& assignments) {
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw UserError("'" + assignment + "' sets nothing", "write NAME=VALUE, such as epochs=20");
    set(assignment.substr(0, equals), assignment.substr(equals + 1));
  }
}

bool Options::has(const std::string& name) const {
  return std::ranges::find(options_, name, &Option::name) != options_.end();
}

const Option& Options::find(const std::string& name) const {
  const auto found = std::ranges::find(options_, name, &Option::name);
  check(found != options_.end(), "an option that is read is declared");
  return *found;
}

double Options::number(const std::string& name) const {
  return parse<double>(find(name), "a number of 0 or more");
}

std::int64_t Options::whole(const std::string& name) const {
  return parse<std::int64_t>(find(name), "a whole number of 0 or more");
}

const std::string& Options::word(const std::string& name, const std::vector<std::string>& words) const {
  const std::string& value = text(name);
  if (std::ranges::find(words, value) == words.end())
    throw UserError("option " + name + " is '" + value + "'", did_you_mean(value, words));
  return value;
}

}  // namespace hone::train
