#include "cli/option_parts.h"

#include <fmt/format.h>

#include <filesystem>

#include <charconv>

#include "base/error.h"

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

void add_store(CLI::App& command, bool& no_store) {
  command.add_flag("--no-store", no_store,
                   "Leave the store of earlier records alone ($HONE_HOME/records.db)");
}

void add_threads(CLI::App& command, int& threads, const char* help) {
  command.add_option("--threads", threads, help)->type_name("N")->check([](const std::string& text) {
    return count_up_to(1024, "threads", text);
  });
}

void add_host(CLI::App& command, std::string& target) {
  command.add_option("--target", target, "The machine (only host: this one)")
      ->type_name("NAME")
      ->check([](const std::string& name) {
        return name == "host" ? std::string() : fmt::format("`{}` cannot be measured from here", name);
      });
}

void add_collecting(CLI::App& command, Collect& options) {
  command
      .add_option("--machine", options.machine,
                  "What this machine is called in the set (default its processor)")
      ->type_name("NAME");
  add_threads(command, options.run.threads,
              "Threads that a program runs on (default 1: others are built meanwhile)");
  command.add_option("--seed", options.run.seed, "Of all random choices (default 1)")->type_name("N");
  command.add_flag("--fresh", options.run.fresh, "Forget what an earlier session measured");
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

void add_computation(CLI::App& command, Input& input) {
  command.add_option("--op", input.op, "An operator, NAME:key=value,...[+tail...]")->type_name("OP");
  command
      .add_option("--record", input.record,
                  "Its schedule: a line of a log, or the fastest record for it there")
      ->type_name("FILE[:LINE]");
}

std::string full_name(const CLI::App* app) {
  return app->get_parent() == nullptr ? "hone" : full_name(app->get_parent()) + " " + app->get_name();
}

void check_input(const CLI::App* command, const Input& input) {
  if (input.op.empty() == input.file.empty()) {
    throw UserError(input.op.empty() ? "nothing to work on: neither --op nor a file is given"
                                     : "both --op and a file are given; one of them is the computation",
                    fmt::format("`{} --help` begins with examples", full_name(command)));
  }
}

std::string stem_of(const std::string& model) {
  return std::filesystem::path(model.substr(model.find(':') + 1)).stem().string();
}

}  // namespace hone::cli
