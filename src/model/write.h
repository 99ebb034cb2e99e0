// Models as ONNX files.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "model/model.h"

namespace hone::model {

struct WriteOptions {
  // Past this, weights go into a file beside the model, called as it is with ".data" behind: ONNX files
  // end at 2 GB.
  std::int64_t largest_inline_bytes = 2'000'000'000;
};

// Each file appears whole or not at all, the data before the model. UserError when that cannot be done.
void write(const Model& model, const std::filesystem::path& path, const WriteOptions& options = {});

// The file's bytes with all weights inside.
std::string to_bytes(const Model& model);

}  // namespace hone::model
