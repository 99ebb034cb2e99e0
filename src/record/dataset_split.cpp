#include "record/dataset_split.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/nearest.h"
#include "base/random.h"
#include "base/shuffle.h"
#include "record/dataset_copy.h"
#include "record/dataset_writer.h"

namespace hone::record {
namespace {

using Names = std::vector<std::string>;

// What a task may be held out for.
Names names_of(const Dataset& set, std::size_t task, SplitBy by) {
  switch (by) {
    case SplitBy::Task:
    case SplitBy::List:
      return {std::string(set.key[task])};
    case SplitBy::Structure:
      return {std::string(set.structure[task])};
    case SplitBy::Target:
      return {std::string(set.target[task]), std::string(set.machine[task])};
    case SplitBy::Model:
      break;
  }
  Names names;
  for (NetworkWeight& network : networks_of(set.networks[task]))
    names.push_back(std::move(network.name));
  return names;
}

// So many as the share says, at least one, in an order that the seed decides.
Names drawn(const std::set<std::string>& names, double share, std::uint64_t seed) {
  Names shuffled(names.begin(), names.end());
  Random random(seed, 0);
  shuffle(shuffled, random);
  const auto count =
      static_cast<std::size_t>(std::lround(share * static_cast<double>(shuffled.size())));
  shuffled.resize(std::clamp<std::size_t>(count, 1, shuffled.size()));
  return shuffled;
}

void check_names(const Names& wanted, const std::set<std::string>& names, const std::string& path) {
  for (const std::string& name : wanted) {
    if (names.contains(name) && !name.empty()) continue;
    throw UserError(fmt::format("no task of {} belongs to `{}`", path, name),
                    names.size() < 2
                        ? "import the logs with --networks TABLE to say which networks have "
                          "their tasks"
                        : did_you_mean(name, Names(names.begin(), names.end())));
  }
}

}  // namespace

std::vector<NetworkWeight> networks_of(std::string_view text) {
  std::vector<NetworkWeight> networks;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(entry.size() + 1, text.size()));
    const std::size_t colon = std::min(entry.rfind(':'), entry.size());
    NetworkWeight& network = networks.emplace_back(std::string(entry.substr(0, colon)), 1.0);
    const std::string_view weight = entry.substr(std::min(colon + 1, entry.size()));
    std::from_chars(weight.data(), weight.data() + weight.size(), network.weight);
  }
  return networks;
}

std::vector<bool> held_out(const Dataset& set, const SplitOptions& options) {
  std::vector<Names> names;
  std::set<std::string> all;
  for (std::size_t task = 0; task < set.n_tasks(); ++task) {
    names.push_back(names_of(set, task, options.by));
    all.insert(names.back().begin(), names.back().end());
  }
  const bool is_drawn = options.by == SplitBy::Task || options.by == SplitBy::Structure;
  const Names chosen = is_drawn ? drawn(all, options.share, options.seed) : options.hold_out;
  if (!is_drawn) check_names(chosen, all, set.file.path());
  const std::set<std::string> held(chosen.begin(), chosen.end());
  std::vector<bool> is_held;
  for (const Names& of_task : names) {
    is_held.push_back(
        std::ranges::any_of(of_task, [&](const auto& name) { return held.contains(name); }));
  }
  const auto count = std::ranges::count(is_held, true);
  if (count == 0 || count == static_cast<std::ptrdiff_t>(is_held.size()))
    throw UserError(fmt::format("{} of {} tasks would be held out", count, is_held.size()),
                    "hold out fewer or other networks or targets, or import more tasks");
  return is_held;
}

SplitSummary split_dataset(const Dataset& set, const SplitOptions& options, const std::string& train,
                           const std::string& test) {
  const std::vector<bool> is_held = held_out(set, options);
  DatasetWriter train_writer(train), test_writer(test);
  DatasetCopy train_copy(set, train_writer), test_copy(set, test_writer);
  for (std::size_t program = 0; program < set.n_programs(); ++program) {
    set.check_program(program);
    (is_held[set.task[program]] ? test_copy : train_copy).add(program);
  }
  train_copy.finish();
  test_copy.finish();
  train_writer.finish();
  test_writer.finish();
  const auto count = [](auto size) { return static_cast<std::int64_t>(size); };
  return {count(train_writer.n_programs()), count(train_writer.tasks().size()),
          count(test_writer.n_programs()), count(test_writer.tasks().size())};
}

}  // namespace hone::record
