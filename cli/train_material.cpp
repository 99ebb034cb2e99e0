#include "cli/train_material.h"

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

}  // namespace hone::cli
