#include "model/tensor_file.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <limits>
#include <ostream>
#include <set>

#include "base/error.h"
#include "base/file.h"
#include "base/mapped_file.h"
#include "base/zip.h"
#include "model/npy.h"
#include "model/take_tensor.h"
#include "model/to_proto.h"

namespace hone::model {
namespace {

constexpr std::string_view kNpy = ".npy";
constexpr const char* kEndings = "files of tensors end in .npz, .npy or .pb";

std::vector<NamedTensor> read_npz(const SharedBytes& file) {
  std::vector<NamedTensor> tensors;
  std::set<std::string> names;
  for (const ZipEntry& entry : read_zip(file)) {
    std::string name = entry.name;
    if (name.ends_with(kNpy)) name.resize(name.size() - kNpy.size());
    if (!names.insert(name).second)
      throw UserError(fmt::format("it has two arrays `{}`", name), kEndings);
    try {
      tensors.push_back({name, parse_npy(entry.content)});
    } catch (const UserError& error) {
      throw UserError(fmt::format("array `{}`: {}", name, error.what()), error.hint());
    }
  }
  return tensors;
}

NamedTensor read_pb(const SharedBytes& file, const std::filesystem::path& folder) {
  onnx::TensorProto proto;
  const bool is_small = file.bytes.size() <= std::numeric_limits<int>::max();
  if (!is_small || !proto.ParsePartialFromArray(file.bytes.data(), static_cast<int>(file.bytes.size())))
    throw UserError("it is no TensorProto", kEndings);
  ExternalData files(folder);
  Tensor tensor = take_tensor(proto, files);
  return {proto.name(), std::move(tensor)};
}

// Stored whole: what is written is what comes out of a run, never weights.
SharedBytes npy_of(const Tensor& tensor) {
  std::string file = npy_header(tensor);
  file.append(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  return keep(std::move(file));
}

}  // namespace

std::vector<NamedTensor> read_tensors(const std::filesystem::path& path) {
  const SharedBytes file = map_file(path);
  try {
    if (path.extension() == ".npz") return read_npz(file);
    if (path.extension() == ".npy") return {{"", parse_npy(file)}};
    if (path.extension() == ".pb") return {read_pb(file, path.parent_path())};
    throw UserError("its ending says nothing about it", kEndings);
  } catch (const UserError& error) {
    throw UserError(fmt::format("{}: {}", path.string(), error.what()), error.hint());
  }
}

void write_tensors(const std::filesystem::path& path, std::span<const NamedTensor> tensors) {
  if (path.extension() == ".npz") {
    std::vector<ZipEntry> entries;
    for (const auto& [name, tensor] : tensors) entries.push_back({name + ".npy", npy_of(tensor)});
    write_whole(path.string(), [&](std::ostream& file) { write_zip(file, entries); });
    return;
  }
  if (path.extension() != ".npy" && path.extension() != ".pb")
    throw UserError(fmt::format("cannot write tensors to {}", path.string()), kEndings);
  if (tensors.size() != 1) {
    throw UserError(fmt::format("{} holds one tensor, there are {}", path.string(), tensors.size()),
                    "write a .npz file");
  }
  write_whole(path.string(), [&](std::ostream& file) {
    const auto& [name, tensor] = tensors[0];
    if (path.extension() == ".npy") {
      const SharedBytes npy = npy_of(tensor);
      file.write(reinterpret_cast<const char*>(npy.bytes.data()),
                 static_cast<std::streamsize>(npy.bytes.size()));
      return;
    }
    onnx::TensorProto proto;
    proto.set_name(name);
    to_proto(tensor, proto);
    proto.SerializeToOstream(&file);
  });
}

}  // namespace hone::model
