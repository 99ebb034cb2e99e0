#include "train/labels.h"

namespace hone::train {

using torch::Tensor;

std::vector<Program> programs_in(const ListBatch& lists) {
  std::vector<Program> programs;
  for (const List& list : lists) programs.insert(programs.end(), list.begin(), list.end());
  return programs;
}

Labels labels_of(const DataSet& set, const ListBatch& lists, torch::Device device) {
  std::size_t longest = 1;
  for (const List& list : lists) longest = std::max(longest, list.size());
  const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(lists.size()),
                                           static_cast<std::int64_t>(longest)};
  Labels labels{
      torch::zeros(shape), torch::zeros(shape, torch::kBool), torch::zeros(shape, torch::kBool), {}};
  std::vector<std::int64_t> slots;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    labels.platform.push_back(set.tasks[set.task_of[lists[i].front()]].platform);
    for (std::size_t j = 0; j < lists[i].size(); ++j) {
      const std::size_t slot = i * longest + j;
      slots.push_back(static_cast<std::int64_t>(slot));
      labels.speed.data_ptr<float>()[slot] = set.speed[lists[i][j]];
      labels.works.data_ptr<bool>()[slot] = set.works[lists[i][j]] != 0;
      labels.present.data_ptr<bool>()[slot] = true;
    }
  }
  labels.slot = torch::tensor(slots, torch::kLong);
  for (Tensor* tensor : {&labels.speed, &labels.works, &labels.present, &labels.slot})
    *tensor = tensor->to(device);
  return labels;
}

}  // namespace hone::train
