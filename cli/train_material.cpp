#include "cli/train_material.h"

#include <fmt/format.h>

#include "cli/set_samples.h"
#include "train/arguments.h"

namespace hone::cli {

train::Material load_material(const Train& options, const train::Options& settings) {
  // The words mean what they mean to hone-train.
  std::vector<std::string> words = {"-o", options.output, "--fold-by", options.fold_by};
  words.insert(words.end(), options.sets.begin(), options.sets.end());
  const auto add = [&](const char* flag, const std::string& value) {
    if (!value.empty()) words.insert(words.end(), {flag, value});
  };
  add("--fold", options.fold);
  add("--target", options.target);
  add("--target-labels", options.target_labels);
  add("--target-programs", options.target_programs);
  const train::Arguments said = train::parse_arguments(words);
  return train::load_material(said.sets, settings, said.left_out, said.target);
}

score::ModelHeader header_of(const train::Material& material, const std::string& kind,
                             const std::vector<std::string>& views) {
  const train::DataSet& set = material.set;
  score::ModelHeader header{.kind = kind,
                            .features = feature_versions(set.parts.front().file, views),
                            .data_hash = score::hexadecimal(set.content_hash()),
                            .tasks = {}};
  for (const std::uint32_t task : material.split.training) header.tasks.push_back(set.tasks[task].key);
  if (set.has_target()) header.target = set.platforms.front().name;
  for (const train::Platform& platform : set.platforms)
    header.platforms.emplace_back(platform.name, static_cast<double>(platform.labels));
  return header;
}

std::string options_text(const train::Options& options) {
  std::string text;
  for (const train::Option& option : options.all())
    text += fmt::format("{:<16}{:<12}{}\n", option.name, option.value, option.meaning);
  return text;
}

}  // namespace hone::cli
