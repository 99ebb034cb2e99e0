// `hone dataset export` and `hone dataset best`: a set as log lines again, or as arrays for NumPy.
#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/split.h"
#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"
#include "model/tensor_file.h"
#include "record/dataset.h"

namespace hone::cli {
namespace {

// To the file that was asked for, or to stdout.
void write_lines(const Dataset& options, const std::function<void(std::ostream& to)>& write) {
  if (options.output.empty()) return write(std::cout);
  check_new(options.output);
  write_whole(options.output, write);
}

template <class T>
void write_array(const std::filesystem::path& path, const record::Dataset& set, const char* section,
                 ir::Scalar type, std::int64_t width = 0) {
  const std::span<const T> values = set.file.array<T>(section);
  model::Shape shape = {static_cast<std::int64_t>(values.size())};
  if (width > 0) shape = {shape[0] / width, width};
  const model::NamedTensor tensor{"", model::Tensor(type, shape, std::as_bytes(values), nullptr)};
  model::write_tensors(path, std::span(&tensor, 1));
}

// "VERSION WIDTH program|task [ROWS]"
std::int64_t width_in(std::string_view info) {
  const auto parts = split(info, ' ');
  const std::int64_t width = parts.size() < 3 ? 0 : std::atoll(parts[1].c_str());
  if (width <= 0)
    throw UserError("the feature section says no width", "add the features again with this hone");
  return width;
}

int export_features(const Dataset& options, const record::Dataset& set) {
  if (options.output.empty())
    throw UserError("features are several files, and no folder is named for them",
                    "say where they go: -o FOLDER");
  const std::string section = "feature." + options.features;
  const std::int64_t width = width_in(set.file.text(section + ".info"));
  const std::filesystem::path folder = options.output;
  std::filesystem::create_directories(folder);
  const auto path = [&](const std::string& name) { return folder / (name + ".npy"); };
  write_array<float>(path(options.features), set, (section + ".values").c_str(), ir::Scalar::F32,
                     width);
  write_array<std::uint64_t>(path(options.features + ".offsets"), set, (section + ".offsets").c_str(),
                             ir::Scalar::U64);
  write_array<std::uint32_t>(path("task"), set, "program.task", ir::Scalar::U32);
  write_array<std::uint8_t>(path("status"), set, "program.status", ir::Scalar::U8);
  write_array<float>(path("seconds"), set, "program.best", ir::Scalar::F32);
  if (options.json) {
    const nlohmann::ordered_json report = {{"schema", "hone.dataset_export/1"},
                                           {"folder", options.output},
                                           {"features", options.features},
                                           {"width", width},
                                           {"programs", set.n_programs()}};
    print_report(report);
  } else {
    fmt::print("wrote      {}  ({}.npy  {}.offsets.npy  task.npy  status.npy  seconds.npy)\n",
               options.output, options.features, options.features);
  }
  return kDone;
}

// Number of the fastest program of each task that has a valid one, by task.
std::vector<std::size_t> fastest(const record::Dataset& set) {
  constexpr auto kNone = static_cast<std::size_t>(-1);
  std::vector<std::size_t> best(set.n_tasks(), kNone);
  for (std::size_t program = 0; program < set.n_programs(); ++program) {
    set.check_program(program);
    std::size_t& known = best[set.task[program]];
    const bool is_better = known == kNone || set.best[program] < set.best[known];
    if (set.status[program] == 0 && is_better) known = program;
  }
  std::erase(best, kNone);
  return best;
}

}  // namespace

int dataset_export(const Dataset& options) {
  const record::Dataset set = record::Dataset::open(options.inputs.front());
  if (!options.features.empty()) return export_features(options, set);
  write_lines(options, [&](std::ostream& to) {
    for (std::size_t program = 0; program < set.n_programs(); ++program)
      to << set.line(program) << '\n';
  });
  if (options.output.empty()) return kDone;
  if (options.json) {
    const nlohmann::ordered_json report = {
        {"schema", "hone.dataset_export/1"}, {"file", options.output}, {"programs", set.n_programs()}};
    print_report(report);
  } else {
    fmt::print("wrote      {}: {} records\n", options.output, set.n_programs());
  }
  return kDone;
}

int dataset_best(const Dataset& options) {
  const record::Dataset set = record::Dataset::open(options.inputs.front());
  const std::vector<std::size_t> best = fastest(set);
  if (!options.json || !options.output.empty()) {
    write_lines(options, [&](std::ostream& to) {
      for (const std::size_t program : best) to << set.line(program) << '\n';
    });
  }
  if (options.json) {
    nlohmann::ordered_json rows = nlohmann::ordered_json::array();
    for (const std::size_t program : best) {
      const std::uint32_t task = set.task[program];
      rows.push_back({{"workload_key", set.key[task]},
                      {"target", set.target[task]},
                      {"machine", set.machine[task]},
                      {"program", program},
                      {"seconds", set.best[program]}});
    }
    const nlohmann::ordered_json report = {
        {"schema", "hone.dataset_best/1"}, {"tasks", set.n_tasks()}, {"best", rows}};
    print_report(report);
  } else if (!options.output.empty()) {
    fmt::print("wrote      {}: {} records of {} tasks\n", options.output, best.size(), set.n_tasks());
  }
  return kDone;
}

}  // namespace hone::cli
