// Lines at the bottom of a terminal that are drawn again and again, below those that stay.
#pragma once
#include <string>
#include <vector>

namespace hone::cli {

class LiveLines {
 public:
  bool is_due() const;  // whether the last drawing is old enough
  void show(const std::vector<std::string>& lines);
  void say_above(const std::string& text);  // stays; ends with a newline
  void clear();

 private:
  double drawn_s_ = 0;
  int shown_ = 0;
};

}  // namespace hone::cli
