// Rows whose columns have names: the order of writing is the order of the names.
#pragma once
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hone::feature {

// Amounts from one to billions in one range.
inline double log_amount(double amount) { return std::log2(1 + std::max(0.0, amount)); }

// Takes named values. Names are only kept when asked for, so that one function both writes rows and
// says what stands in them.
class Columns {
 public:
  explicit Columns(std::vector<float>& values, std::vector<std::string>* names = nullptr)
      : values_(values), names_(names) {}

  void value(std::string_view name, double value) {
    values_.push_back(static_cast<float>(value));
    if (names_ != nullptr) names_->push_back(prefix_ + std::string(name));
  }
  void amount(std::string_view name, double amount) { value(name, log_amount(amount)); }
  void flag(std::string_view name, bool is_set) { value(name, is_set ? 1 : 0); }
  // `count` amounts of a list; what it lacks is `absent`.
  template <class List>
  void amounts(std::string_view name, const List& list, std::size_t count, double absent = 0) {
    for (std::size_t i = 0; i < count; ++i) {
      const bool is_there = i < list.size();
      value(names_ == nullptr ? std::string_view() : std::string(name) + std::to_string(i),
            is_there ? log_amount(static_cast<double>(list[i])) : absent);
    }
  }
  void set_prefix(std::string_view prefix) {
    if (names_ != nullptr) prefix_ = prefix;
  }

 private:
  std::vector<float>& values_;
  std::vector<std::string>* names_;
  std::string prefix_;
};

}  // namespace hone::feature
