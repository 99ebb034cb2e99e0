// A cost model that somebody brings as an ONNX file, from the file into the loop.
#pragma once
#include <memory>
#include <string>

#include "score/network.h"
#include "target/target.h"

namespace hone::tune {

bool is_onnx(const std::string& path);  // by its ending

// As load_scorer does it for files of hone's. UserError when the model has no output that says what its
// last layer read, and is asked for it.
std::shared_ptr<const score::Network> load_onnx_scorer(const std::string& path,
                                                       const target::Target& target,
                                                       const std::string& cache_folder,
                                                       bool tells_hidden);

}  // namespace hone::tune
