#include "cli/option_parts.h"

#include <fmt/format.h>

#include <charconv>

namespace hone::cli {

std::string count_up_to(int most, const char* what, const std::string& text) {
  int count = 0;
  const auto end = std::from_chars(text.data(), text.data() + text.size(), count).ptr;
  if (end == text.data() + text.size() && count >= 1 && count <= most) return {};
  return fmt::format("`{}` is no number of {} between 1 and {}", text, what, most);
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "One JSON object on stdout instead of text");
}

void add_threads(CLI::App& command, int& threads, const char* help) {
  command.add_option("--threads", threads, help)->type_name("N")->check([](const std::string& text) {
    return count_up_to(1024, "threads", text);
  });
}

void add_model(CLI::App& command, ModelInput& model) {
  command
      .add_option("--shape", model.shapes, "The shape of a model's input where the file leaves it open")
      ->allow_extra_args(false)
      ->type_name("NAME=1x3x224x224");
  command.add_option("--bind", model.binds, "An input that is always the same: a .npy or .pb file")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
}

}  // namespace hone::cli
