// What TenSet's networks and ATFormer read: the features of each statement with the embedding of its
// task, and the tensor instructions that it uses if asked.
#pragma once
#include "train/layers.h"
#include "train/views.h"

namespace hone::train {

// TenSet appends ten columns to a statement; only the first nine ever hold something.
inline constexpr std::int64_t kEmbeddingColumns = 10;

// Each column divided by its largest value over the rows of the training programs.
class StatementRowsImpl : public torch::nn::Module {
 public:
  explicit StatementRowsImpl(const Features& features, bool with_instructions = false);
  std::int64_t columns() const { return columns_; }

  void learn(const Features& features, const std::vector<Program>& training);
  torch::Tensor forward(const Batch& batch);  // [rows, columns]

 private:
  static torch::Tensor raw(const Batch& batch);

  std::int64_t columns_;
  Normaliser normaliser_{nullptr};
};
TORCH_MODULE(StatementRows);

}  // namespace hone::train
