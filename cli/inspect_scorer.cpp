#include "cli/inspect_scorer.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/gzip.h"
#include "cli/exit_code.h"
#include "score/scorer_file.h"
#include "tune/chart.h"

namespace hone::cli {
namespace {

using score::ModelHeader;

template <class Pairs>
std::string join(const Pairs& pairs) {
  std::string text;
  for (const auto& [name, value] : pairs)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, value);
  return text;
}

bool is_of_trees(const std::string& curve) { return curve.starts_with("tree"); }

void print_text(const std::string& path, const ModelHeader& header) {
  fmt::print("scorer     {}\nkind       {}\nfeatures   {}\n", path, header.kind, header.features);
  fmt::print("data       {}, {} tasks\n", header.data_hash, header.tasks.size());
  if (!header.target.empty()) fmt::print("target     {}\n", header.target);
  if (!header.platforms.empty()) fmt::print("platforms  {}\n", join(header.platforms));
  if (!header.options.empty()) fmt::print("options    {}\n", join(header.options));
  if (!header.metrics.empty()) fmt::print("metrics    {}\n", join(header.metrics));
  for (const auto& [name, values] : header.curves) {
    if (values.empty()) continue;
    const auto [least, most] = std::ranges::minmax(values);
    fmt::print("curve      {}: {:.4g} at first, {:.4g} at last, {:.4g} to {:.4g}, {} {}\n", name,
               values.front(), values.back(), least, most, values.size(),
               is_of_trees(name) ? "trees" : "epochs");
  }
}

void print_json(const std::string& path, const ModelHeader& header) {
  nlohmann::ordered_json report = {{"schema", "hone.scorer/1"},
                                   {"file", path},
                                   {"kind", header.kind},
                                   {"features", header.features},
                                   {"data_hash", header.data_hash},
                                   {"tasks", header.tasks},
                                   {"target", header.target},
                                   {"platforms", nlohmann::ordered_json::object()},
                                   {"options", nlohmann::ordered_json::object()},
                                   {"metrics", nlohmann::ordered_json::object()},
                                   {"curves", nlohmann::ordered_json::object()}};
  for (const auto& [name, value] : header.platforms) report["platforms"][name] = value;
  for (const auto& [name, value] : header.options) report["options"][name] = value;
  for (const auto& [name, value] : header.metrics) report["metrics"][name] = value;
  for (const auto& [name, values] : header.curves) report["curves"][name] = values;
  fmt::print("{}\n", report.dump());
}

tune::Curve curve_of(const std::string& name, const std::vector<double>& values) {
  tune::Curve curve{.name = name, .style = tune::Curve::Style::Steps, .points = {}};
  for (std::size_t i = 0; i < values.size(); ++i)
    curve.points.push_back({static_cast<double>(i + 1), values[i]});
  return curve;
}

// Losses in one panel, what the picks are worth in another, and in the last how trees grew.
std::string curves_svg(const std::string& path, const ModelHeader& header) {
  tune::Panel losses{.x_label = "epoch", .y_label = "loss", .curves = {}};
  tune::Panel picks{.x_label = "epoch", .y_label = "best time / best among the first k", .curves = {}};
  tune::Panel trees{.x_label = "tree", .y_label = "error of log(latency / best)", .curves = {}};
  for (const auto& [name, values] : header.curves) {
    tune::Panel& panel = is_of_trees(name) ? trees : name.ends_with("loss") ? losses : picks;
    panel.curves.push_back(curve_of(name, values));
  }
  if (losses.curves.empty() && picks.curves.empty())
    throw UserError(fmt::format("{} says nothing of its training", path),
                    "only networks are trained by epochs");
  std::vector<tune::Panel> panels = {losses, picks};
  if (!trees.curves.empty()) panels.push_back(trees);
  return tune::to_svg(fmt::format("training of {}", header.kind), panels);
}

}  // namespace

bool is_scorer(const std::string& path) {
  constexpr std::string_view kBegin = "{\"hone_scorer\":";
  std::string first(kBegin.size(), '\0');
  try {
    const ByteSource source = open_maybe_gzip(path);
    first.resize(source(first.data(), first.size()));
  } catch (const UserError&) {
    return false;  // whoever reads it next says why it cannot be read
  }
  return first == kBegin;
}

int inspect_scorer(const std::string& path, const std::string& svg, bool json) {
  const ModelHeader header = score::parse_scorer(read_maybe_gzip(path), path).header;
  if (!svg.empty()) {
    write_whole(svg, curves_svg(path, header));
    fmt::print(stderr, "wrote {}\n", svg);
  }
  json ? print_json(path, header) : print_text(path, header);
  return kDone;
}

}  // namespace hone::cli
