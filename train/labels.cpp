#include "train/labels.h"

#include <map>

#include "train/views.h"

namespace hone::train {
namespace {

using torch::Tensor;

Labels empty_labels(const ListBatch& lists) {
  std::size_t longest = 1;
  for (const List& list : lists) longest = std::max(longest, list.size());
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(lists.size()),
                                           static_cast<std::int64_t>(longest)};
  return {.speed = torch::zeros(shape),
          .works = torch::zeros(shape, torch::kBool),
          .present = torch::zeros(shape, torch::kBool),
          .slot = {}};
}

}  // namespace

Lesson lesson_of(const DataSet& set, const ListBatch& lists, const std::vector<Program>& same,
                 torch::Device device) {
  Lesson lesson{{}, empty_labels(lists)};
  Labels& labels = lesson.labels;
  std::vector<std::int64_t> slots, places;
  std::map<Program, std::size_t> place_of;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    labels.platform.push_back(set.tasks[set.task_of[lists[i].front()]].platform);
    for (std::size_t j = 0; j < lists[i].size(); ++j) {
      const Program program = lists[i][j];
      const auto slot = static_cast<std::size_t>(labels.speed.size(1)) * i + j;
      slots.push_back(static_cast<std::int64_t>(slot));
      labels.speed.data_ptr<float>()[slot] = set.speed[program];
      labels.works.data_ptr<bool>()[slot] = set.works[program] != 0;
      labels.present.data_ptr<bool>()[slot] = true;
      if (same.empty()) {
        lesson.programs.push_back(program);
        continue;
      }
      const auto [found, is_new] = place_of.try_emplace(same[program], lesson.programs.size());
      if (is_new) lesson.programs.push_back(same[program]);
      places.push_back(static_cast<std::int64_t>(found->second));
    }
  }
  labels.slot = numbers_on(device, slots);
  if (!same.empty()) labels.program = numbers_on(device, places);
  for (Tensor* tensor : {&labels.speed, &labels.works, &labels.present})
    *tensor = tensor->to(device, /*non_blocking=*/true);
  return lesson;
}

}  // namespace hone::train
