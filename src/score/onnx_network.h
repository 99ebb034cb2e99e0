// A cost model that somebody brings as an ONNX file: what it reads, it declares by the names of its
// inputs.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "model/model.h"
#include "score/dense.h"
#include "score/network.h"

namespace hone::score {

// Features that a model can ask for. Those of rows come as [batch, rows, columns], with as many rows as
// the model declares: zeros behind fewer, and of more the first ones. Beside INPUT there may be
// INPUT_mask [batch, rows]: 1 for rows that there are. The others come as [batch, columns].
struct OnnxInput {
  std::string name;  // of the input
  std::string view;
  int version = 0;
  std::int64_t columns = 0;
  bool has_rows = false;
};

// The model says for which version of the features it is made (metadata hone.feature.NAME) and what its
// output, one number a program, is (hone.output): a score, the default, or log_latency. A second
// output `hidden`, where there is one, is what the last layer reads. UserError when it declares
// something else, or when hone cannot compile it.
std::unique_ptr<Network> make_onnx_network(const model::Model& model, std::span<const OnnxInput> known,
                                           const CompileDense& compile);

}  // namespace hone::score
