#include "cli/set_features.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/nearest.h"
#include "cli/dataset_hardware.h"
#include "record/hds/writer.h"

namespace hone::cli {
namespace {

std::string section_of(const std::string& name) { return "feature." + name; }

feature::SectionInput input_of(const record::Dataset& set, const MoreFeatures& more) {
  if (std::ranges::find(set.kind, record::ProgramKind::Knobs) != set.kind.end())
    throw UserError(
        fmt::format("{} holds programs of AutoTVM's, which have knobs and no steps", set.file.path()),
        "features are made of the steps of auto_scheduler's programs");
  feature::SectionInput input;
  const std::vector<space::Hardware> hardware = hardware_of_tasks(set);
  for (std::size_t task = 0; task < set.n_tasks(); ++task) {
    const bool is_told = more.machine && set.machine[task] == more.machine->name;
    input.tasks.push_back(
        {set.computation(task), hardware[task],
         is_told ? target::parse_descriptor(more.machine->descriptor) : descriptor_of(set, task)});
  }
  input.task_of = set.task;
  input.steps_of = [&set](std::size_t program) { return set.steps(program); };
  return input;
}

constexpr const char* kDescriptors = "machine.descriptor";

bool is_made_anew(std::string_view section, const MoreFeatures& more) {
  if (more.machine && section.starts_with(kDescriptors)) return true;
  return std::ranges::any_of(
      more.names, [&](const std::string& name) { return section.starts_with(section_of(name) + "."); });
}

// Of all machines of the set, with what is new of one of them.
std::vector<std::string> descriptors_of(const record::Dataset& set, const record::Machine& told) {
  std::vector<std::string> names, out;
  for (std::size_t i = 0; i < set.machines.size(); ++i) {
    names.emplace_back(set.machines[i]);
    out.emplace_back(set.machines[i] == told.name ? told.descriptor : set.descriptors[i]);
  }
  if (std::ranges::find(names, told.name) == names.end())
    throw UserError(fmt::format("{} holds nothing of a machine `{}`", set.file.path(), told.name),
                    did_you_mean(told.name, names));
  return out;
}

}  // namespace

bool has_features(const record::hds::File& set, const std::string& name) {
  return set.has(section_of(name) + ".info");
}

void add_features(const record::Dataset& set, const MoreFeatures& more, const std::string& output,
                  const OnFeatures& tell) {
  const feature::SectionInput input = input_of(set, more);
  record::hds::Writer writer(output);
  for (const record::hds::Section& section : set.file.sections())
    if (!is_made_anew(section.name, more)) writer.copy(set.file, section);
  if (more.machine) writer.strings(kDescriptors, descriptors_of(set, *more.machine));
  for (const std::string& name : more.names) {
    writer.begin(section_of(name) + ".values");
    const feature::Section made = feature::make_section(
        name, input, more.threads,
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
