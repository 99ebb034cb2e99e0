// `hone inspect SET`: what a data set holds, without reading its programs.
#pragma once
#include <string>

namespace hone::cli {

bool is_dataset(const std::string& path);  // by its first bytes
int inspect_dataset(const std::string& path, bool json);

}  // namespace hone::cli
