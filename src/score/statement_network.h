// What TenSet's networks and ATFormer have in common: statements are encoded one by one, brought
// together for each program, and what they came to is decoded.
#pragma once
#include "score/network.h"
#include "score/ragged.h"
#include "score/tensors.h"

namespace hone::score {

class StatementNetwork : public Network {
 public:
  std::vector<Prediction> predict(std::span<const Sample> samples) const final;

 protected:
  StatementNetwork(const std::vector<NamedTensor>& tensors, const CompileDense& compile,
                   bool tells_hidden, bool reads_instructions = false);
  std::size_t width() const { return width_; }  // of an encoded statement

 private:
  // Of the encoded distinct rows, behind which lies one of zeros, `width` numbers a program.
  virtual std::vector<float> pool(const Ragged& rows, std::vector<float> encoded) const = 0;
  // What a program's number of statements adds to its score.
  virtual double score_of_length(std::size_t /*statements*/) const { return 0; }

  std::vector<Prediction> predict_block(std::span<const Sample> samples) const;

  bool reads_instructions_;
  std::size_t columns_, width_, hidden_width_;  // the last is 0 where it is not told
  std::unique_ptr<DenseFunction> of_rows_, of_programs_;
};

}  // namespace hone::score
