// `hone inspect SCORER`: what a trained cost model is, and how its training went.
#pragma once
#include <string>

namespace hone::cli {

bool is_scorer(const std::string& path);  // by its first bytes, plain or gzipped
// `svg` is a file for the curves of its training; empty: none.
int inspect_scorer(const std::string& path, const std::string& svg, bool json);

}  // namespace hone::cli
