#include "cli/set_features.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "cli/dataset_hardware.h"
#include "record/hds/writer.h"

namespace hone::cli {
namespace {

std::string section_of(const std::string& name) { return "feature." + name; }

feature::SectionInput input_of(const record::Dataset& set) {
  if (std::ranges::find(set.kind, record::ProgramKind::Knobs) != set.kind.end())
    throw UserError(
        fmt::format("{} holds programs of AutoTVM's, which have knobs and no steps", set.file.path()),
        "features are made of the steps of auto_scheduler's programs");
  feature::SectionInput input;
  const std::vector<space::Hardware> hardware = hardware_of_tasks(set);
  for (std::size_t task = 0; task < set.n_tasks(); ++task)
    input.tasks.push_back({set.computation(task), hardware[task]});
  input.task_of = set.task;
  input.steps_of = [&set](std::size_t program) { return set.steps(program); };
  return input;
}

bool is_made_anew(std::string_view section, const std::vector<std::string>& names) {
  return std::ranges::any_of(
      names, [&](const std::string& name) { return section.starts_with(section_of(name) + "."); });
}

}  // namespace

bool has_features(const record::hds::File& set, const std::string& name) {
  return set.has(section_of(name) + ".info");
}

void add_features(const record::Dataset& set, const std::vector<std::string>& names,
                  const std::string& output, int threads, const OnFeatures& tell) {
  const feature::SectionInput input = input_of(set);
  record::hds::Writer writer(output);
  for (const record::hds::Section& section : set.file.sections())
    if (!is_made_anew(section.name, names)) writer.copy(set.file, section);
  for (const std::string& name : names) {
    writer.begin(section_of(name) + ".values");
    const feature::Section made = feature::make_section(
        name, input, threads,
        [&](std::span<const float> values) { writer.append(std::as_bytes(values)); });
    writer.end();
    writer.array(section_of(name) + ".offsets", made.offsets);
    writer.text(section_of(name) + ".info", made.info);
    if (!made.vocabulary.empty()) writer.text(section_of(name) + ".vocabulary", made.vocabulary);
    tell(name, made);
  }
  writer.finish();
}

}  // namespace hone::cli
