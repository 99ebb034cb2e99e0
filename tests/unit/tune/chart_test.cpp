#include "tune/chart.h"

#include <gtest/gtest.h>

namespace hone::tune {
namespace {

TEST(Chart, TicksAreRoundAndReachTheLargestValue) {
  EXPECT_EQ(ticks(200), (std::vector<double>{0, 50, 100, 150, 200}));
  EXPECT_EQ(ticks(97), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(ticks(1), (std::vector<double>{0, 0.2, 0.4, 0.6000000000000001, 0.8, 1}));
  EXPECT_EQ(ticks(0), (std::vector<double>{0, 1}));
  for (const double largest : {1e-6, 3.7, 12.0, 999.0, 123456.0}) {
    EXPECT_GE(ticks(largest).back(), largest * (1 - 1e-9));
    EXPECT_LE(ticks(largest).size(), 6u) << largest;
  }
}

TEST(Chart, PutsPointsWhereTheAxesSay) {
  const std::string svg = to_svg(
      "a < b",
      {{.x_label = "trials",
        .y_label = "speed",
        .curves = {
            {.name = "best", .style = Curve::Style::Steps, .points = {{0, 0}, {5, 10}, {10, 10}}},
            {.name = "", .style = Curve::Style::Dots, .points = {{10, 5}}}}}});
  // From the lower left corner (64, 276) up to the top (52) and to the right (460).
  EXPECT_NE(svg.find("M64.0 276.0H262.0V52.0H460.0V52.0"), std::string::npos) << svg;
  EXPECT_NE(svg.find("<circle cx=\"460.0\" cy=\"164.0\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("a &lt; b"), std::string::npos);
  EXPECT_NE(svg.find(">trials</text>"), std::string::npos);
  EXPECT_NE(svg.find(">best</text>"), std::string::npos);
}

TEST(Chart, ThreePanelsTakeTwoRows) {
  const Panel panel{.x_label = "x", .y_label = "y", .curves = {}};
  EXPECT_NE(to_svg("t", {panel}).find("viewBox=\"0 0 480 344\""), std::string::npos);
  EXPECT_NE(to_svg("t", {panel, panel, panel}).find("viewBox=\"0 0 960 664\""), std::string::npos);
}

// Of the curves' names, and of what the first covers: it is the one that a figure is about.
TEST(Chart, TheFirstCurveIsDrawnLastAndNamedFirst) {
  const std::string svg = to_svg(
      "t", {{.x_label = "x",
             .y_label = "y",
             .curves = {{.name = "first", .style = Curve::Style::Steps, .points = {{0, 1}, {1, 1}}},
                        {.name = "second", .style = Curve::Style::Dots, .points = {{1, 1}}}}}});
  EXPECT_LT(svg.find("<circle"), svg.find("stroke-width=\"2\""));
  EXPECT_LT(svg.find(">first<"), svg.find(">second<"));
}

TEST(Chart, NothingMeasuredIsAnEmptyFrame) {
  EXPECT_NE(to_svg("none", {{.x_label = "x", .y_label = "y", .curves = {{}}}}).find("</svg>"),
            std::string::npos);
}

}  // namespace
}  // namespace hone::tune
