// Models and tensors as protobuf messages.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>
#include <utility>
#include <vector>

#include "model/model.h"

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace hone::model {

// Collects the elements that go into a file beside the model.
class DataFile {
 public:
  explicit DataFile(std::string location) : location_(std::move(location)) {}

  const std::string& location() const { return location_; }
  std::int64_t place(const Tensor& tensor);  // where in the file its bytes will begin
  void write(std::ostream& file) const;

 private:
  std::string location_;
  std::vector<std::pair<std::int64_t, Tensor>> tensors_;
  std::int64_t end_ = 0;
};

// Initialisers go into the message, or, all but the smallest, into `data` if there is one.
void to_proto(const Model& model, onnx::ModelProto& proto, DataFile* data = nullptr);
void to_proto(const Tensor& tensor, onnx::TensorProto& proto, DataFile* data = nullptr);

}  // namespace hone::model
