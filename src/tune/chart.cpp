#include "tune/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace hone::tune {
namespace {

constexpr double kTitle = 24;                  // above all panels
constexpr double kWidth = 480, kHeight = 320;  // of a panel, and what it leaves around its axes
constexpr double kLeft = 64, kRight = 20, kTop = 28, kBottom = 68;
constexpr std::size_t kColumns = 2;
constexpr double kLetter = 6.4, kSample = 12, kGap = 8, kOutdent = 40;  // of the legend
// Apart for people who do not see all colours (Okabe and Ito).
constexpr std::array<const char*, 6> kColours = {"#0072b2", "#999999", "#d55e00",
                                                 "#009e73", "#cc79a7", "#e69f00"};

std::string escape(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '&':
        out += "&amp;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// One panel's way from numbers to places on the page.
class Frame {
 public:
  Frame(const Panel& panel, Point2 corner) : corner_(corner) {
    double x = 0, y = 0;
    for (const Curve& curve : panel.curves) {
      for (const Point2& point : curve.points) {
        x = std::max(x, point.x);
        y = std::max(y, point.y);
      }
    }
    x_ticks_ = ticks(x);
    y_ticks_ = ticks(y);
  }

  double x(double value) const {
    return corner_.x + kLeft + value / x_ticks_.back() * (kWidth - kLeft - kRight);
  }
  double y(double value) const {
    return corner_.y + kHeight - kBottom - value / y_ticks_.back() * (kHeight - kTop - kBottom);
  }
  const std::vector<double>& x_ticks() const { return x_ticks_; }
  const std::vector<double>& y_ticks() const { return y_ticks_; }

 private:
  Point2 corner_;
  std::vector<double> x_ticks_, y_ticks_;
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     escape(text));
}

std::string axes(const Panel& panel, const Frame& frame) {
  std::string out;
  const double left = frame.x(0), right = frame.x(frame.x_ticks().back());
  const double bottom = frame.y(0), top = frame.y(frame.y_ticks().back());
  for (const double tick : frame.y_ticks()) {
    out += fmt::format("<path d=\"M{:.1f} {:.1f}H{:.1f}\" stroke=\"#dddddd\"/>\n", left, frame.y(tick),
                       right);
    out += text_at(left - 6, frame.y(tick) + 4, "end", fmt::format("{:g}", tick));
  }
  for (const double tick : frame.x_ticks())
    out += text_at(frame.x(tick), bottom + 16, "middle", fmt::format("{:g}", tick));
  out += fmt::format("<path d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\" stroke=\"black\" fill=\"none\"/>\n",
                     left, top, bottom, right);
  out += text_at((left + right) / 2, bottom + 36, "middle", panel.x_label);
  out += text_at(left - 40, top - 10, "start", panel.y_label);
  return out;
}

std::string path_of(const Curve& curve, const Frame& frame) {
  std::string path;
  for (const Point2& point : curve.points) {
    if (path.empty()) {
      path = fmt::format("M{:.1f} {:.1f}", frame.x(point.x), frame.y(point.y));
    } else if (curve.style == Curve::Style::Steps) {
      path += fmt::format("H{:.1f}V{:.1f}", frame.x(point.x), frame.y(point.y));
    } else {
      path += fmt::format("L{:.1f} {:.1f}", frame.x(point.x), frame.y(point.y));
    }
  }
  return path;
}

std::string line(const std::string& path, const Curve& curve, const char* colour) {
  return fmt::format("<path d=\"{}\" stroke=\"{}\" stroke-width=\"2\" fill=\"none\"{}/>\n", path,
                     colour, curve.style == Curve::Style::Dashed ? " stroke-dasharray=\"6 4\"" : "");
}

std::string draw(const Curve& curve, const Frame& frame, const char* colour) {
  if (curve.style != Curve::Style::Dots) return line(path_of(curve, frame), curve, colour);
  std::string out;
  for (const Point2& point : curve.points) {
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n", frame.x(point.x),
                       frame.y(point.y), colour);
  }
  return out;
}

const char* colour_of(std::size_t curve) { return kColours[curve % kColours.size()]; }

// One line below the axes: a sample of each curve and its name.
std::string legend(const Panel& panel, const Frame& frame) {
  std::string out;
  double x = frame.x(0) - kOutdent;
  const double y = frame.y(0) + 54;
  for (std::size_t i = 0; i < panel.curves.size(); ++i) {
    const Curve& curve = panel.curves[i];
    if (curve.name.empty()) continue;
    const bool is_dots = curve.style == Curve::Style::Dots;
    const double middle = x + kSample / 2;
    out += is_dots ? fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>\n", middle,
                                 y - 4, colour_of(i))
                   : line(fmt::format("M{:.1f} {:.1f}h{}", x, y - 4, kSample), curve, colour_of(i));
    out += text_at(x + kSample + 4, y, "start", curve.name);
    x += kSample + 4 + kLetter * static_cast<double>(curve.name.size()) + kGap;
  }
  return out;
}

std::string draw(const Panel& panel, Point2 corner) {
  const Frame frame(panel, corner);
  std::string out = axes(panel, frame);
  for (std::size_t i = panel.curves.size(); i-- > 0;) out += draw(panel.curves[i], frame, colour_of(i));
  return out + legend(panel, frame);
}

}  // namespace

std::vector<double> ticks(double largest, int count) {
  if (!(largest > 0)) return {0, 1};
  const double least_step = largest / (count - 1);
  const double magnitude = std::pow(10, std::floor(std::log10(least_step)));
  double step = 10 * magnitude;
  for (const double factor : {5.0, 2.0, 1.0}) {
    if (factor * magnitude >= least_step * (1 - 1e-9)) step = factor * magnitude;
  }
  std::vector<double> all = {0};
  while (all.back() < largest * (1 - 1e-9)) all.push_back(step * static_cast<double>(all.size()));
  return all;
}

std::string to_svg(const std::string& title, const std::vector<Panel>& panels) {
  const std::size_t columns = std::min(kColumns, panels.size());
  const std::size_t rows = (panels.size() + kColumns - 1) / kColumns;
  const double width = kWidth * static_cast<double>(columns);
  const double height = kTitle + kHeight * static_cast<double>(rows);
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<title>{2}</title>\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
      width, height, escape(title));
  out += text_at(width / 2, 18, "middle", title);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    out += draw(panels[i], {kWidth * static_cast<double>(i % kColumns),
                            kTitle + kHeight * static_cast<double>(i / kColumns)});
  }
  return out + "</svg>\n";
}

}  // namespace hone::tune
