// The options of a kind of model: declared once with their defaults, set by name, written into the
// scorer as they were used.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace hone::train {

struct Option {
  std::string name, value, meaning;
};

class Options {
 public:
  Options(std::initializer_list<Option> options) : options_(options) {}
  explicit Options(std::vector<Option> options) : options_(std::move(options)) {}

  // The same with other defaults, and with more options.
  Options with(std::initializer_list<std::pair<std::string, std::string>> values) const;
  Options and_also(const Options& more) const;

  // Throws UserError, with a hint, when there is no such option.
  void set(const std::string& name, const std::string& value);
  void set_all(const std::vector<std::string>& assignments);  // each NAME=VALUE

  const std::string& text(const std::string& name) const { return find(name).value; }
  // Throw UserError when the value is not of that kind.
  double number(const std::string& name) const;
  std::int64_t whole(const std::string& name) const;  // 0 or more
  // One of a few words.
  const std::string& word(const std::string& name, const std::vector<std::string>& words) const;

  const std::vector<Option>& all() const { return options_; }
  bool has(const std::string& name) const;

 private:
  const Option& find(const std::string& name) const;

  std::vector<Option> options_;
};

}  // namespace hone::train
