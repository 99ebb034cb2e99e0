// `hone dataset features`: a copy of a set with what models see of its programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"
#include "cli/set_features.h"

namespace hone::cli {
namespace {

nlohmann::ordered_json report_on(const std::string& name, const feature::Section& section) {
  nlohmann::ordered_json left_out = nlohmann::ordered_json::array();
  for (const feature::LeftOut& left : section.left_out) {
    left_out.push_back({{"reason", left.reason},
                        {"count", left.count},
                        {"first", left.first},
                        {"example", left.example}});
  }
  return {
      {"name", name}, {"info", section.info}, {"rows", section.offsets.back()}, {"left_out", left_out}};
}

void print_text(const nlohmann::ordered_json& section) {
  fmt::print("features   {}: {} rows ({})\n", section["name"].get<std::string>(),
             section["rows"].get<std::int64_t>(), section["info"].get<std::string>());
  for (const auto& left : section["left_out"]) {
    const auto example = left["example"].get<std::string>();
    fmt::print("left out   {}: {}, the first is number {}{}{}\n", left["count"].get<std::int64_t>(),
               left["reason"].get<std::string>(), left["first"].get<std::int64_t>(),
               example.empty() ? "" : ": ", example);
  }
}

}  // namespace

int dataset_features(const Dataset& options) {
  check_new(options.output);
  nlohmann::ordered_json report = {{"schema", "hone.dataset_features/1"},
                                   {"output", options.output},
                                   {"features", nlohmann::ordered_json::array()}};
  MoreFeatures more{.names = options.add, .machine = {}, .threads = threads_of(options)};
  if (!options.machine.empty()) more.machine = record::machine_from(options.machine);
  add_features(record::Dataset::open(options.inputs.front()), more, options.output,
               [&](const std::string& name, const feature::Section& made) {
                 report["features"].push_back(report_on(name, made));
               });
  if (options.json) {
    print_report(report);
  } else {
    fmt::print("wrote      {}\n", options.output);
    for (const auto& section : report["features"]) print_text(section);
  }
  return kDone;
}

}  // namespace hone::cli
