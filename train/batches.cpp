#include "train/batches.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"

namespace hone::train {
namespace {

template <class T>
void shuffle(std::vector<T>& items, Random& random) {
  for (std::size_t left = items.size(); left > 1; --left)
    std::swap(items[left - 1], items[random.below(static_cast<std::int64_t>(left))]);
}

// As many pieces as the size asks for, all about equally long: a list of one program teaches nothing.
std::vector<List> cut(const List& programs, std::size_t size) {
  const std::size_t pieces = (programs.size() + size - 1) / size;
  std::vector<List> out(pieces);
  for (std::size_t i = 0; i < programs.size(); ++i)
    out[i * pieces / programs.size()].push_back(programs[i]);
  return out;
}

}  // namespace

std::vector<ListBatch> batches_of_epoch(const DataSet& set, const TaskIds& tasks,
                                        std::size_t batch_size, std::size_t list_size,
                                        std::uint64_t seed, std::uint64_t epoch) {
  check(batch_size > 0 && list_size <= batch_size, "a batch holds at least one list");
  Random random(seed, mix_bits(epoch + 1));
  std::vector<ListBatch> batches;
  if (list_size == 0) {
    List all;
    for (const std::uint32_t task : tasks)
      all.insert(all.end(), set.tasks[task].programs.begin(), set.tasks[task].programs.end());
    shuffle(all, random);
    for (std::size_t from = 0; from < all.size(); from += batch_size)
      batches.push_back(
          {List(all.begin() + from, all.begin() + std::min(all.size(), from + batch_size))});
    return batches;
  }
  std::vector<List> lists;
  for (const std::uint32_t task : tasks) {
    List programs = set.tasks[task].programs;
    shuffle(programs, random);
    for (List& list : cut(programs, list_size)) lists.push_back(std::move(list));
  }
  shuffle(lists, random);
  const std::size_t lists_a_batch = batch_size / list_size;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    if (i % lists_a_batch == 0) batches.emplace_back();
    batches.back().push_back(std::move(lists[i]));
  }
  return batches;
}

}  // namespace hone::train
