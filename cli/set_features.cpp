#include "cli/set_features.h"

#include <algorithm>
#include <sstream>

#include "record/hds/writer.h"

namespace hone::cli {
namespace {

std::string section_of(const std::string& name) { return "feature." + name; }

space::Hardware hardware_from_text(std::string_view text) {
  std::istringstream words{std::string(text)};
  std::vector<std::int64_t> numbers;
  for (std::int64_t number = 0; words >> number;) numbers.push_back(number);
  return numbers.empty() ? space::Hardware() : space::hardware_from(numbers);
}

feature::SectionInput input_of(const record::Dataset& set) {
  feature::SectionInput input{{}, set.task, [&set](std::size_t program) { return set.steps(program); }};
  for (std::size_t task = 0; task < set.n_tasks(); ++task)
    input.tasks.push_back({set.computation(task), hardware_from_text(set.hardware[task])});
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

void add_features(
    const record::Dataset& set, const std::vector<std::string>& names, const std::string& output,
    int threads,
    const std::function<void(const std::string& name, const feature::Section& made)>& tell) {
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
