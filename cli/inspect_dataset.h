// `hone inspect SET`: what a data set holds, without reading its programs.
#pragma once
#include <string>

namespace hone::cli {

bool is_dataset(const std::string& path);  // by its first bytes
int inspect_dataset(const std::string& path, bool json);
int inspect_set_tasks(const std::string& path, bool json);  // which it has, with how many programs

}  // namespace hone::cli
