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
  // Columns that belong together have the group's name in front of theirs, while it lives.
  class Group {
   public:
    ~Group() { columns_.prefix_.resize(outer_); }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;

   private:
    friend class Columns;
    Group(Columns& columns, std::size_t outer) : columns_(columns), outer_(outer) {}
    Columns& columns_;
    std::size_t outer_;  // length of the prefix around it
  };
  [[nodiscard]] Group group(std::string_view name, int number = -1) {
    const std::size_t outer = prefix_.size();
    if (names_ != nullptr) {
      prefix_ += name;
      if (number >= 0) prefix_ += std::to_string(number);
      prefix_ += '.';
    }
    return {*this, outer};
  }

 private:
  std::vector<float>& values_;
  std::vector<std::string>* names_;
  std::string prefix_;
};

// The names of the columns that `write` writes.
template <class Write>
std::vector<std::string> column_names(const Write& write) {
  std::vector<float> values;
  std::vector<std::string> names;
  Columns columns(values, &names);
  write(columns);
  return names;
}

}  // namespace hone::feature
