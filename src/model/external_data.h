// Elements of tensors that lie in files beside the model.
#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "base/shared_bytes.h"

namespace onnx {
class TensorProto;
}

namespace hone::model {

class ExternalData {
 public:
  // `folder` is the model's: locations are relative to it and stay inside.
  explicit ExternalData(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // The bytes that the tensor's location, offset and length name. UserError when they are not there.
  SharedBytes find(const onnx::TensorProto& tensor);

 private:
  std::filesystem::path folder_;
  std::map<std::string, SharedBytes> files_;  // each mapped once
};

}  // namespace hone::model
