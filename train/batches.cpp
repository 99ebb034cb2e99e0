#include "train/batches.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/shuffle.h"

namespace hone::train {
namespace {

std::size_t n_visited(std::size_t programs, const Visits& visits) {
  return visits.per_task > 0 ? std::min(programs, visits.per_task) : programs;
}

// All about equally long: a list of one program teaches nothing.
std::vector<List> cut(const List& programs, std::size_t pieces) {
  std::vector<List> out(pieces);
  for (std::size_t i = 0; i < programs.size(); ++i)
    out[i * pieces / programs.size()].push_back(programs[i]);
  return out;
}

// Those of a task that an epoch visits, in random order.
List drawn(const Task& task, const Visits& visits, Random& random) {
  List programs = task.programs;
  shuffle(programs, random);
  programs.resize(n_visited(programs.size(), visits));
  return programs;
}

// The programs of these lists; those that are one stand together.
std::vector<List> once_each(const std::vector<List>& lists, const std::vector<Program>& same) {
  std::vector<List> out;
  std::map<Program, std::size_t> place_of;
  for (const List& list : lists) {
    for (const Program program : list) {
      if (same.empty()) {
        out.push_back({program});
        continue;
      }
      const auto [found, is_new] = place_of.try_emplace(same[program], out.size());
      is_new ? out.push_back({program}) : out[found->second].push_back(program);
    }
  }
  return out;
}

// Of several platforms one list each; those that have no program here have none.
ListBatch by_platform(const DataSet& set, std::span<const List> programs) {
  ListBatch lists(set.platforms.size());
  for (const List& copies : programs)
    for (const Program program : copies)
      lists[set.tasks[set.task_of[program]].platform].push_back(program);
  std::erase_if(lists, [](const List& list) { return list.empty(); });
  return lists;
}

std::vector<ListBatch> mixed(const DataSet& set, std::vector<List> programs, std::size_t batch_size,
                             Random& random) {
  shuffle(programs, random);
  std::vector<ListBatch> batches;
  for (std::size_t from = 0; from < programs.size(); from += batch_size)
    batches.push_back(by_platform(
        set, std::span(programs).subspan(from, std::min(batch_size, programs.size() - from))));
  return batches;
}

}  // namespace

std::size_t lists_of_task(std::size_t programs, const Visits& visits) {
  check(visits.list > 0, "lists of one task have a length");
  return (n_visited(programs, visits) + visits.list - 1) / visits.list;
}

std::vector<ListBatch> batches_of_epoch(const DataSet& set, const TaskIds& tasks, const Visits& visits,
                                        std::uint64_t seed, std::uint64_t epoch,
                                        const std::vector<Program>& same) {
  check(visits.batch > 0 && visits.list <= visits.batch, "a batch holds at least one list");
  Random random(seed, mix_bits(epoch + 1));
  std::vector<List> of_tasks;
  for (const std::uint32_t task : tasks) of_tasks.push_back(drawn(set.tasks[task], visits, random));
  if (visits.list == 0) return mixed(set, once_each(of_tasks, same), visits.batch, random);
  std::vector<List> lists;
  for (const List& programs : of_tasks)
    for (List& list : cut(programs, lists_of_task(programs.size(), visits)))
      lists.push_back(std::move(list));
  shuffle(lists, random);
  std::vector<ListBatch> batches;
  const std::size_t lists_a_batch = visits.batch / visits.list;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (i % lists_a_batch == 0) batches.emplace_back();
    batches.back().push_back(std::move(lists[i]));
  }
  return batches;
}

}  // namespace hone::train
