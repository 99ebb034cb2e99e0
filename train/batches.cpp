#include "train/batches.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/shuffle.h"

namespace hone::train {
namespace {

// As many pieces as the size asks for, all about equally long: a list of one program teaches nothing.
std::vector<List> cut(const List& programs, std::size_t size) {
  const std::size_t pieces = (programs.size() + size - 1) / size;
  std::vector<List> out(pieces);
  for (std::size_t i = 0; i < programs.size(); ++i)
    out[i * pieces / programs.size()].push_back(programs[i]);
  return out;
}

// The programs of the tasks; those that are one stand together.
std::vector<List> once_each(const DataSet& set, const TaskIds& tasks,
                            const std::vector<Program>& same) {
  std::vector<List> out;
  std::map<Program, std::size_t> place_of;
  for (const std::uint32_t task : tasks) {
    for (const Program program : set.tasks[task].programs) {
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

std::vector<ListBatch> batches_of_epoch(const DataSet& set, const TaskIds& tasks,
                                        std::size_t batch_size, std::size_t list_size,
                                        std::uint64_t seed, std::uint64_t epoch,
                                        const std::vector<Program>& same) {
  check(batch_size > 0 && list_size <= batch_size, "a batch holds at least one list");
  Random random(seed, mix_bits(epoch + 1));
  if (list_size == 0) return mixed(set, once_each(set, tasks, same), batch_size, random);
  std::vector<List> lists;
  for (const std::uint32_t task : tasks) {
    List programs = set.tasks[task].programs;
    shuffle(programs, random);
    for (List& list : cut(programs, list_size)) lists.push_back(std::move(list));
  }
  shuffle(lists, random);
  std::vector<ListBatch> batches;
  const std::size_t lists_a_batch = batch_size / list_size;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (i % lists_a_batch == 0) batches.emplace_back();
    batches.back().push_back(std::move(lists[i]));
  }
  return batches;
}

}  // namespace hone::train
