// ONNX files.
#pragma once
#include <cstddef>
#include <filesystem>
#include <span>

#include "model/model.h"

namespace hone::model {

// Any opset, IR versions up to 10; data files beside the model are mapped, not copied. UserError, with
// the file and the place in it, for everything that is no model or that hone cannot hold.
Model read(const std::filesystem::path& path);

// The same of bytes in memory; `path` gives messages their name and external data their folder.
Model parse(std::span<const std::byte> bytes, const std::filesystem::path& path);

}  // namespace hone::model
