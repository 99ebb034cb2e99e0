// What is known of the programs of a batch.
#pragma once
#include <cstdint>
#include <vector>

#include "train/batches.h"
#include "train/torch.h"

namespace hone::train {

// How the programs of a batch lie in lists, and what is known of them. Tensors are [lists, length]
// where nothing else is said. A program of the batch may stand in several lists, one a platform.
struct Labels {
  torch::Tensor speed;    // best time of the task / time of the program; 0 when it failed
  torch::Tensor works;    // whether it did not fail
  torch::Tensor present;  // where a program is
  torch::Tensor slot;     // [entries]: where it stands, counted over all lists
  torch::Tensor program =
      {};  // [entries]: which of the batch; undefined: one after the other, each once
  std::vector<std::int64_t> platform = {};  // of each list

  // Values [n] of the batch's programs laid out in the lists.
  torch::Tensor spread(const torch::Tensor& values) const {
    const torch::Tensor entries = program.defined() ? values.index_select(0, program) : values;
    return torch::zeros({speed.numel()}, values.options()).index_copy(0, slot, entries).view_as(speed);
  }
};

// The programs of a batch and what is known of them. Copies of one program (`same`: of each program the
// first that is the same, or nothing) are one in the batch and stand in the lists of their platforms.
struct Lesson {
  std::vector<Program> programs;
  Labels labels;
};
Lesson lesson_of(const DataSet& set, const ListBatch& lists, const std::vector<Program>& same,
                 torch::Device device);

}  // namespace hone::train
