#include "train/statement_rows.h"

#include "base/error.h"
#include "train/programs_by_part.h"

namespace hone::train {

using torch::Tensor;

StatementRowsImpl::StatementRowsImpl(const Features& features, bool with_instructions)
    : columns_(features.info("statements").columns + kEmbeddingColumns) {
  if (with_instructions) columns_ += features.info("instructions").columns;
  normaliser_ = register_module("normaliser", Normaliser(columns_));
}

Tensor StatementRowsImpl::raw(const Batch& batch) {
  const View& statements = batch.view("statements");
  const View& embedding = batch.view("embedding");
  Tensor of_program = embedding.pad(embedding.rows, 1).squeeze(1);  // [n, flags]
  of_program = torch::constant_pad_nd(of_program, {0, kEmbeddingColumns - of_program.size(1)});
  std::vector<Tensor> parts = {statements.rows, of_program.index_select(0, statements.program)};
  if (batch.views.count("instructions") > 0) {
    const View& instructions = batch.view("instructions");
    if (!torch::equal(instructions.program, statements.program))
      throw UserError("the features 'instructions' and 'statements' were not made of the same programs",
                      "add both again with `hone dataset features`");
    parts.push_back(instructions.rows);
  }
  return torch::cat(parts, 1);
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
