// Files of tensors: inputs and outputs of a run, and what ONNX's tests come with.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "model/tensor.h"

namespace hone::model {

struct NamedTensor {
  std::string name;  // a .npy file gives none
  Tensor tensor;
};

// By the path's ending: .npz holds several, .npy and .pb (a TensorProto) one. UserError when the file
// is no such thing or its elements are no numbers.
std::vector<NamedTensor> read_tensors(const std::filesystem::path& path);

// The same endings; whole or not at all.
void write_tensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors);

}  // namespace hone::model
