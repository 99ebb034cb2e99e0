#include "train/statement_rows.h"

#include "train/programs_by_part.h"

namespace hone::train {

using torch::Tensor;

StatementRowsImpl::StatementRowsImpl(const Features& features)
    : columns_(features.info("statements").columns + kEmbeddingColumns) {
  normaliser_ = register_module("normaliser", Normaliser(columns_));
}

Tensor StatementRowsImpl::raw(const Batch& batch) {
  const View& statements = batch.view("statements");
  const View& embedding = batch.view("embedding");
  Tensor of_program = embedding.pad(embedding.rows, 1).squeeze(1);  // [n, flags]
  of_program = torch::constant_pad_nd(of_program, {0, kEmbeddingColumns - of_program.size(1)});
  return torch::cat({statements.rows, of_program.index_select(0, statements.program)}, 1);
}

void StatementRowsImpl::learn(const Features& features, const std::vector<Program>& training) {
  Tensor largest = torch::zeros({columns_}, torch::TensorOptions().device(features.device()));
  for_each_part(features, training, [&](const Batch& batch) {
    const Tensor rows = raw(batch);
    if (rows.size(0) > 0) largest = torch::maximum(largest, rows.amax(0));
  });
  const Tensor scale = torch::where(largest > 0, 1 / largest, torch::ones_like(largest));
  normaliser_->set(torch::zeros_like(scale), scale);
}

Tensor StatementRowsImpl::forward(const Batch& batch) { return normaliser_->forward(raw(batch)); }

}  // namespace hone::train
