#include "cli/eval_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "base/error.h"
#include "record/dataset_split.h"

namespace hone::cli {
namespace {

struct Split {
  std::vector<bool> is_test;            // of each task
  std::set<std::string> trained_kinds;  // structures that models may have learned from
};

// Tasks of the networks held out, or those that the training set does not hold.
Split split_of(const record::Dataset& set, const Eval& options) {
  Split split{std::vector<bool>(set.n_tasks()), {}};
  if (!options.hold_out.empty()) {
    split.is_test = record::held_out(
        set, {.by = record::SplitBy::Model, .hold_out = options.hold_out, .share = 0, .seed = 0});
  } else if (!options.split.empty()) {
    const record::Dataset training = record::Dataset::open(options.split);
    std::set<std::string_view> keys;
    for (std::size_t i = 0; i < training.n_tasks(); ++i) {
      keys.insert(training.key[i]);
      split.trained_kinds.emplace(training.structure[i]);
    }
    for (std::size_t i = 0; i < set.n_tasks(); ++i) split.is_test[i] = !keys.contains(set.key[i]);
  }
  for (std::size_t i = 0; i < set.n_tasks(); ++i) {
    if (!split.is_test[i]) split.trained_kinds.emplace(set.structure[i]);
  }
  return split;
}

// The networks that count: those held out, or all; where the set names none, all tasks count once.
void add_networks(score::JudgedSet& judged, const record::Dataset& set,
                  const std::vector<std::string>& only) {
  std::map<std::string, std::vector<score::JudgedNetwork::Use>> uses;
  for (std::size_t i = 0; i < judged.tasks.size(); ++i) {
    for (const auto& [name, weight] : record::networks_of(set.networks[judged.tasks[i].number])) {
      if (only.empty() || std::ranges::count(only, name) > 0) uses[name].push_back({i, weight});
    }
  }
  if (uses.empty()) return;
  judged.networks.clear();
  for (auto& [name, of_network] : uses) judged.networks.push_back({name, std::move(of_network)});
}

// Of a test split: whether training holds tasks of the same structure with other shapes.
std::vector<EvalPart> parts_of(const score::JudgedSet& judged, const record::Dataset& set,
                               const Split& split, bool is_test) {
  EvalPart all{"all", std::vector<std::size_t>(judged.tasks.size())};
  std::iota(all.tasks.begin(), all.tasks.end(), 0);
  EvalPart shape{"unseen shape", {}}, structure{"unseen structure", {}};
  for (const std::size_t i : all.tasks) {
    const bool is_known =
        split.trained_kinds.contains(std::string(set.structure[judged.tasks[i].number]));
    (is_known ? shape : structure).tasks.push_back(i);
  }
  std::vector<EvalPart> parts = {all};
  for (EvalPart& part : std::vector{shape, structure}) {
    if (is_test && !part.tasks.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

std::string in_words(const Eval& options) {
  const bool has_split = !options.hold_out.empty() || !options.split.empty();
  if (!has_split) return "all tasks";
  const std::string split =
      options.split.empty() ? fmt::format("{}", fmt::join(options.hold_out, ", ")) : options.split;
  return options.final_split
             ? fmt::format("the test split ({})", split)
             : fmt::format("tasks outside the test split ({}), which --final opens", split);
}

}  // namespace

std::vector<std::string> EvalSet::judged_keys() const {
  std::vector<std::string> out;
  for (const score::JudgedTask& task : judged.tasks) out.emplace_back(data.key[task.number]);
  return out;
}

EvalSet load_eval_set(const Eval& options) {
  EvalSet out{.data = record::Dataset::open(options.set),
              .judged_on = in_words(options),
              .judged = {},
              .parts = {}};
  const Split split = split_of(out.data, options);
  std::vector<std::uint32_t> wanted;
  for (std::uint32_t i = 0; i < out.data.n_tasks(); ++i) {
    if (split.is_test[i] == options.final_split) wanted.push_back(i);
  }
  const std::vector<double> seconds(out.data.best.begin(), out.data.best.end());
  out.judged = score::judged_set(out.data.task, seconds, wanted);
  if (out.judged.tasks.empty())
    throw UserError(fmt::format("{} holds nothing to judge on: {}", options.set, out.judged_on),
                    "`hone dataset stats` says what is in it");
  add_networks(out.judged, out.data,
               options.final_split ? options.hold_out : std::vector<std::string>{});
  out.parts = parts_of(out.judged, out.data, split, options.final_split);
  return out;
}

}  // namespace hone::cli
