// `hone inspect LOG`: what a log of records holds, and what in it cannot be read.
#pragma once
#include <string>

namespace hone::cli {

bool is_log(const std::string& path);  // by its first byte; records or comments, plain or gzipped
int inspect_log(const std::string& path, bool json);

}  // namespace hone::cli
