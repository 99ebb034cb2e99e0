// `hone dataset stats`: what a set is worth.
#include "record/dataset_stats.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "cli/dataset_hardware.h"
#include "cli/dataset_verbs.h"
#include "cli/exit_code.h"
#include "feature/tlp_rows.h"
#include "worker/status.h"

namespace hone::cli {
namespace {

constexpr const char* kPapers = "25x22 (GPU 40x20)";

struct Crop {
  std::string name;
  int steps = 0, width = 0;  // 0: as in the paper, which has a size for CPUs and one for GPUs
  record::Collisions collisions = {};
};

Crop crop_from(const std::string& text) {
  Crop crop{text};
  const std::size_t cross = text.find('x');
  const char* end = text.data() + text.size();
  const bool has_steps = cross != std::string::npos &&
                         std::from_chars(text.data(), end, crop.steps).ptr == text.data() + cross;
  const bool has_width =
      has_steps && std::from_chars(text.data() + cross + 1, end, crop.width).ptr == end;
  if (!has_width || crop.steps < 1 || crop.steps > 512 || crop.width <= feature::kTlpKinds ||
      crop.width > 512)
    throw UserError(fmt::format("`{}` is no size of TLP's tables", text),
                    "write so many steps and numbers as 25x22; a number of each step's 11 flags is "
                    "part of the width");
  return crop;
}

std::uint64_t hash_of(const std::vector<float>& rows) {
  std::vector<std::uint64_t> words;
  for (const float value : rows) words.push_back(std::bit_cast<std::uint32_t>(value));
  return record::hds::checksum(words);
}

// What TLP's table of a program looks like.
record::ProgramView view_of(const record::Dataset& set, const std::vector<space::Hardware>& hardware,
                            const Crop& crop) {
  return [&set, &hardware, crop](std::size_t program) {
    feature::TlpFormat format = feature::tlp_cropped(hardware[set.task[program]].kind);
    if (crop.steps > 0) format = {format.vocabulary, crop.steps, crop.width};
    std::vector<float> rows(format.size());
    feature::tlp_rows(set.steps(program), format, rows.data());
    return hash_of(rows);
  };
}

std::vector<Crop> crops_of(const record::Dataset& set, const Dataset& options) {
  if (std::ranges::find(set.kind, record::ProgramKind::Knobs) != set.kind.end()) return {};
  std::vector<Crop> crops;
  for (const std::string& text : options.crops) crops.push_back(crop_from(text));
  if (crops.empty()) crops = {{kPapers}, {"54x40", 54, 40}};
  const std::vector<space::Hardware> hardware = hardware_of_tasks(set);
  for (Crop& crop : crops)
    crop.collisions = record::collisions_of(set, view_of(set, hardware, crop), threads_of(options));
  return crops;
}

double percent(std::int64_t part, std::int64_t all) {
  return all == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(all);
}

void print_text(const record::Dataset& set, const record::DatasetStats& stats,
                const std::vector<Crop>& crops) {
  fmt::print("programs   {} of {} tasks and {} structures, {:.0f} bytes each\n", stats.programs,
             stats.tasks, stats.structures, stats.bytes_a_program);
  fmt::print("tasks      {} with their computation, {} of a network, {} without a valid program\n",
             stats.tasks_with_dag, stats.tasks_with_network, stats.tasks_without_answer);
  for (std::size_t i = 0; i < set.machines.size(); ++i)
    fmt::print("machine    {}: {}\n", set.machines[i], set.descriptors[i]);
  if (set.machines.size() == 0) fmt::print("machine    not known\n");
  for (std::size_t i = 0; i < stats.statuses.size(); ++i) {
    if (stats.statuses[i] == 0) continue;
    fmt::print("status     {:<10} {}\n", stats.statuses[i],
               worker::to_string(static_cast<worker::Status>(i)));
  }
  fmt::print("steps      {} distinct lists; {} programs ({:.2f} %) repeat one of their task\n",
             stats.distinct, stats.repeated, percent(stats.repeated, stats.programs));
  const auto print_spread = [](const char* what, const record::Spread& spread) {
    if (spread.count > 0)
      fmt::print("noise      {}: median {:.4f}, p90 {:.4f} ({})\n", what, spread.median, spread.p90,
                 spread.count);
  };
  print_spread("deviation over mean of a program's repeats", stats.repeats);
  print_spread("ratio of minima of a program measured again", stats.minima);
  print_spread("ratio of means of a program measured again", stats.means);
  fmt::print("floor      a random pick: top-1 {:.4f}, top-5 {:.4f} (mean of {} tasks), pooled {:.4f}\n",
             stats.floor.top1, stats.floor.top5, stats.floor.tasks, stats.floor.pooled_top1);
  for (const Crop& crop : crops) {
    fmt::print(
        "crop       {}: {} distinct, {} programs ({:.2f} %) share theirs with other steps; labels "
        "differ "
        "by median {:.4f}, p90 {:.4f}\n",
        crop.name, crop.collisions.distinct, crop.collisions.colliding,
        percent(crop.collisions.colliding, stats.programs), crop.collisions.labels.median,
        crop.collisions.labels.p90);
  }
}

nlohmann::ordered_json to_json(const record::Spread& spread) {
  return {{"count", spread.count}, {"median", spread.median}, {"p90", spread.p90}};
}

void print_json(const record::Dataset& set, const record::DatasetStats& stats,
                const std::vector<Crop>& crops) {
  nlohmann::ordered_json statuses = nlohmann::ordered_json::object(),
                         machines = nlohmann::ordered_json::object(),
                         cropped = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < stats.statuses.size(); ++i) {
    if (stats.statuses[i] > 0)
      statuses[std::string(worker::to_string(static_cast<worker::Status>(i)))] = stats.statuses[i];
  }
  for (std::size_t i = 0; i < set.machines.size(); ++i)
    machines[std::string(set.machines[i])] = set.descriptors[i];
  for (const Crop& crop : crops) {
    cropped.push_back({{"crop", crop.name},
                       {"distinct", crop.collisions.distinct},
                       {"colliding", crop.collisions.colliding},
                       {"label_spread", to_json(crop.collisions.labels)}});
  }
  const nlohmann::ordered_json report = {{"schema", "hone.dataset_stats/1"},
                                         {"programs", stats.programs},
                                         {"valid", stats.valid},
                                         {"tasks", stats.tasks},
                                         {"structures", stats.structures},
                                         {"tasks_with_dag", stats.tasks_with_dag},
                                         {"tasks_with_network", stats.tasks_with_network},
                                         {"tasks_without_answer", stats.tasks_without_answer},
                                         {"bytes_a_program", stats.bytes_a_program},
                                         {"machines", machines},
                                         {"statuses", statuses},
                                         {"distinct_step_lists", stats.distinct},
                                         {"repeated_in_task", stats.repeated},
                                         {"repeats", to_json(stats.repeats)},
                                         {"again_minima", to_json(stats.minima)},
                                         {"again_means", to_json(stats.means)},
                                         {"random_floor",
                                          {{"tasks", stats.floor.tasks},
                                           {"top1", stats.floor.top1},
                                           {"top5", stats.floor.top5},
                                           {"pooled_top1", stats.floor.pooled_top1}}},
                                         {"crops", cropped}};
  print_report(report);
}

}  // namespace

int dataset_stats(const Dataset& options) {
  const record::Dataset set = record::Dataset::open(options.inputs.front());
  const record::DatasetStats stats = record::stats_of(set);
  const std::vector<Crop> crops = crops_of(set, options);
  if (options.json) {
    print_json(set, stats, crops);
  } else {
    print_text(set, stats, crops);
  }
  return kDone;
}

}  // namespace hone::cli
