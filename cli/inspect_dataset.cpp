#include "cli/inspect_dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"
#include "record/dataset.h"
#include "record/dataset_split.h"
#include "record/dataset_stats.h"

namespace hone::cli {
namespace {

// Name and info of each feature that was added.
nlohmann::ordered_json features_of(const record::Dataset& set) {
  nlohmann::ordered_json features = nlohmann::ordered_json::object();
  constexpr std::string_view kPrefix = "feature.", kSuffix = ".info";
  for (const record::hds::Section& section : set.file.sections()) {
    std::string_view name = section.name;
    if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) continue;
    name = name.substr(kPrefix.size(), name.size() - kPrefix.size() - kSuffix.size());
    features[std::string(name)] = set.file.text(section.name);
  }
  return features;
}

nlohmann::ordered_json report_of(const record::Dataset& set) {
  nlohmann::ordered_json machines = nlohmann::ordered_json::object(),
                         sources = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < set.machines.size(); ++i)
    machines[std::string(set.machines[i])] = set.descriptors[i];
  for (std::size_t i = 0; i < set.sources.size(); ++i) sources.push_back(set.sources[i]);
  return {{"schema", "hone.dataset/1"},   {"hash", fmt::format("{:016x}", set.file.content_hash())},
          {"programs", set.n_programs()}, {"tasks", set.n_tasks()},
          {"machines", machines},         {"sources", sources},
          {"features", features_of(set)}};
}

nlohmann::ordered_json tasks_of(const record::Dataset& set) {
  nlohmann::ordered_json tasks = nlohmann::ordered_json::array();
  const std::vector<std::vector<std::uint32_t>> programs = record::programs_by_task(set);
  for (std::size_t task = 0; task < set.n_tasks(); ++task) {
    nlohmann::ordered_json networks = nlohmann::ordered_json::object();
    for (const record::NetworkWeight& network : record::networks_of(set.networks[task]))
      networks[network.name] = network.weight;
    tasks.push_back({{"key", set.key[task]},
                     {"structure", set.structure[task]},
                     {"machine", set.machine[task]},
                     {"flop", set.flops[task]},
                     {"networks", networks},
                     {"programs", programs[task].size()},
                     {"valid", std::ranges::count_if(programs[task], [&](std::uint32_t program) {
                        return set.status[program] == 0;
                      })}});
  }
  return tasks;
}

}  // namespace

bool is_dataset(const std::string& path) {
  char first[sizeof(record::hds::kMagic)] = {};
  std::ifstream(path, std::ios::binary).read(first, sizeof(first));
  return std::memcmp(first, record::hds::kMagic, sizeof(first)) == 0;
}

int inspect_dataset(const std::string& path, bool json) {
  const record::Dataset set = record::Dataset::open(path);
  const nlohmann::ordered_json report = report_of(set);
  if (json) {
    fmt::print("{}\n", report.dump());
    return kDone;
  }
  fmt::print("programs   {} of {} tasks\n", set.n_programs(), set.n_tasks());
  for (const auto& [name, descriptor] : report["machines"].items())
    fmt::print("machine    {}: {}\n", name, descriptor.get<std::string>());
  if (report["machines"].empty()) fmt::print("machine    not known\n");
  fmt::print("sources    {}, the first is {}\n", set.sources.size(), set.sources[0]);
  for (const auto& [name, info] : report["features"].items())
    fmt::print("features   {} ({})\n", name, info.get<std::string>());
  fmt::print("hash       {}\n", report["hash"].get<std::string>());
  fmt::print("next       hone dataset stats {}\n", path);
  return kDone;
}

int inspect_set_tasks(const std::string& path, bool json) {
  const record::Dataset set = record::Dataset::open(path);
  const nlohmann::ordered_json tasks = tasks_of(set);
  if (json) {
    print_report({{"schema", "hone.dataset_tasks/1"}, {"tasks", tasks}});
    return kDone;
  }
  fmt::print("{:>6} {:>9} {:>7} {:>10}  {}\n", "task", "programs", "valid", "MFLOP", "workload");
  for (std::size_t i = 0; i < tasks.size(); ++i)
    fmt::print("{:>6} {:>9} {:>7} {:>10.2f}  {}\n", i, tasks[i]["programs"].get<std::size_t>(),
               tasks[i]["valid"].get<std::size_t>(), set.flops[i] * 1e-6, set.key[i]);
  return kDone;
}

}  // namespace hone::cli
