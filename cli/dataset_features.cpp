// `hone dataset features`: a copy of a set with what models see of its programs.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/dataset_hardware.h"
#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"
#include "feature/sections.h"
#include "record/dataset.h"
#include "record/hds/writer.h"

namespace hone::cli {
namespace {

feature::SectionInput input_of(const record::Dataset& set) {
  feature::SectionInput input;
  const std::vector<space::Hardware> hardware = hardware_of_tasks(set);
  for (std::size_t task = 0; task < set.n_tasks(); ++task)
    input.tasks.push_back({set.computation(task), hardware[task]});
  input.task_of = set.task;
  input.steps_of = [&set](std::size_t program) { return set.steps(program); };
  return input;
}

// Everything but features of the same names, which are made anew.
void copy_sections(const record::Dataset& set, const std::vector<std::string>& added,
                   record::hds::Writer& writer) {
  for (const record::hds::Section& section : set.file.sections()) {
    const std::string_view name = section.name;
    const bool is_replaced = std::ranges::any_of(added, [&](const std::string& feature) {
      return name.starts_with("feature." + feature + ".");
    });
    if (!is_replaced) writer.copy(set.file, section);
  }
}

nlohmann::ordered_json add_section(const std::string& name, const feature::SectionInput& input,
                                   int threads, record::hds::Writer& writer) {
  const std::string prefix = "feature." + name;
  writer.begin(prefix + ".values");
  const feature::Section section = feature::make_section(
      name, input, threads,
      [&](std::span<const float> values) { writer.append(std::as_bytes(values)); });
  writer.end();
  writer.array(prefix + ".offsets", section.offsets);
  writer.text(prefix + ".info", section.info);
  if (!section.vocabulary.empty()) writer.text(prefix + ".vocabulary", section.vocabulary);
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
  const record::Dataset set = record::Dataset::open(options.inputs.front());
  if (std::ranges::find(set.kind, record::ProgramKind::Knobs) != set.kind.end())
    throw UserError(
        fmt::format("{} holds programs of AutoTVM's, which have knobs and no steps", set.file.path()),
        "features are made of the steps of auto_scheduler's programs");
  const feature::SectionInput input = input_of(set);
  record::hds::Writer writer(options.output);
  copy_sections(set, options.add, writer);
  nlohmann::ordered_json report = {{"schema", "hone.dataset_features/1"},
                                   {"output", options.output},
                                   {"features", nlohmann::ordered_json::array()}};
  for (const std::string& name : options.add)
    report["features"].push_back(add_section(name, input, threads_of(options), writer));
  writer.finish();
  if (options.json) {
    fmt::print("{}\n", report.dump());
  } else {
    fmt::print("wrote      {}\n", options.output);
    for (const auto& section : report["features"]) print_text(section);
  }
  return kDone;
}

}  // namespace hone::cli
