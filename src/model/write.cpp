#include "model/write.h"

#include <onnx/onnx_pb.h>

#include <ostream>

#include "base/error.h"
#include "base/file.h"
#include "model/to_proto.h"

namespace hone::model {

void write(const Model& model, const std::filesystem::path& path, const WriteOptions& options) {
  std::int64_t bytes = 0;
  for (const auto& [name, tensor] : model.graph.initializers)
    bytes += static_cast<std::int64_t>(tensor.bytes().size());
  const bool is_beside = bytes > options.largest_inline_bytes;
  DataFile data(path.filename().string() + ".data");
  onnx::ModelProto proto;
  to_proto(model, proto, is_beside ? &data : nullptr);
  const auto write_model = [&] {
    write_whole(path.string(), [&](std::ostream& file) { proto.SerializeToOstream(&file); });
  };
  if (!is_beside) return write_model();
  const auto beside = path.parent_path() / data.location();
  write_whole(beside.string(), [&](std::ostream& file) { data.write(file); });
  try {
    write_model();
  } catch (const UserError&) {
    std::filesystem::remove(beside);  // nobody would know what it is
    throw;
  }
}

std::string to_bytes(const Model& model) {
  onnx::ModelProto proto;
  to_proto(model, proto);
  return proto.SerializeAsString();
}

}  // namespace hone::model
