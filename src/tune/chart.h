// Charts as SVG text, for people to look at and for reports.
#pragma once
#include <string>
#include <vector>

namespace hone::tune {

struct Point2 {
  double x, y;
};

struct Curve {
  enum class Style { Steps, Dots, Dashed, Line };
  std::string name;  // in the legend; empty: not there
  Style style = Style::Steps;
  std::vector<Point2> points;  // x does not fall
};

struct Panel {
  std::string x_label, y_label;
  std::vector<Curve> curves;  // the first lies above all others; the colour goes by place
};

// Panels under one title, two in a row. Axes begin at 0 and end beyond the largest value.
std::string to_svg(const std::string& title, const std::vector<Panel>& panels);

// Round numbers from 0 on, at most `count`, the last one not below `largest`.
std::vector<double> ticks(double largest, int count = 6);

}  // namespace hone::tune
